// The ResourceQuota controller: writes the amounts in use into the status of a quota.
#include <algorithm>
#include <map>
#include <set>

#include "keelson/schema/identity.hpp"
#include "src/sandbox/admission/quota_usage.hpp"
#include "src/sandbox/controllers/workloads.hpp"

namespace keelson::sandbox {

namespace {

class QuotaSync : public Sync {
 public:
  explicit QuotaSync(const Sync& sync) : Sync(sync) {}

  void run() {
    const auto hard = amounts_in(tree.at({"spec", "hard"}));
    const auto sums = used(hard);
    auto amounts = Tree::object();
    for (const auto& [name, limit] : hard) {
      if (!is_measured(name)) continue;
      const auto sum = sums.find(name);
      amounts[name] = sum == sums.end() ? "0" : sum->second.text();
    }
    auto status = status_of(tree);
    set_or_erase(status, "hard", tree.copy_at({"spec", "hard"}));
    set_or_erase(status, "used", std::move(amounts));
    Sync::write_status(std::move(status));
  }

 private:
  // The kind of "count/deployments.apps"; null if it is not served.
  [[nodiscard]] const ServedKind* counted(std::string_view name) const {
    constexpr std::string_view kCount = "count/";
    if (!name.starts_with(kCount)) return nullptr;
    name.remove_prefix(kCount.size());
    const auto& kinds = operations.world.kinds.all();
    const auto found = std::ranges::find_if(kinds, [name](const ServedKind& one) {
      return one.resource.namespaced && one.is_served && one.resource.qualified_plural() == name;
    });
    return found == kinds.end() ? nullptr : &*found;
  }
  [[nodiscard]] bool is_measured(const std::string& name) const {
    return !name.starts_with("count/") || counted(name) != nullptr;
  }

  [[nodiscard]] Amounts used(const Amounts& hard) const {
    std::set<const ServedKind*> kinds;
    for (const auto& resource : {kube::pods(), kube::services(), kube::persistent_volume_claims()}) {
      kinds.insert(&operations.kind(resource));
    }
    for (const auto& [name, limit] : hard) {
      const auto* kind = counted(name.starts_with("count/") ? name : "count/" + name);
      if (kind != nullptr) kinds.insert(kind);
    }
    Amounts sums;
    for (const auto* kind : kinds) add_usage(sums, *kind, hard);
    return sums;
  }

  void add_usage(Amounts& sums, const ServedKind& kind, const Amounts& hard) const {
    const auto& all = operations.world.store.all(kind);
    const auto spec = tree.copy_at({"spec"});
    const auto ns = object.ns();
    for (auto one = all.lower_bound(kube::Key(ns, "")); one != all.end() && one->first.ns == ns; ++one) {
      const auto& counted_object = one->second.stored().tree;
      if (!counts_object(spec, kind.resource, counted_object)) continue;
      add_amounts(sums, masked(usage_of_object(kind.resource, counted_object), hard));
    }
  }
};

}  // namespace

void sync_resource_quota(Sync& quota) {
  if (!quota.object.deleting()) QuotaSync(quota).run();
}

}  // namespace keelson::sandbox
