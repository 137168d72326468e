// The ResourceQuota controller: writes the amounts in use into the status of a quota.
#include <algorithm>
#include <limits>
#include <map>
#include <optional>

#include "keelson/schema/identity.hpp"
#include "keelson/schema/quantity.hpp"
#include "src/sandbox/admission/quota.hpp"
#include "src/sandbox/controllers/workloads.hpp"

namespace keelson::sandbox {

namespace {

constexpr const char* kClassSuffix = ".storageclass.storage.k8s.io/";

// A sum in thousandths, with the notation of the first amount.
struct QuotaSum {
  std::int64_t milli = 0;
  std::optional<kube::Quantity::Format> format;

  void add(std::int64_t amount, kube::Quantity::Format of = kube::Quantity::Format::kDecimalSi) {
    if (!format && amount != 0) format = of;
    if (__builtin_add_overflow(milli, amount, &milli)) milli = std::numeric_limits<std::int64_t>::max();
  }
  [[nodiscard]] std::string text() const {
    const bool is_whole = milli % 1000 == 0;
    if (is_whole) return kube::Quantity(milli / 1000, format.value_or(kube::Quantity::Format::kDecimalSi)).text();
    const auto quantity = kube::Quantity::parse(std::to_string(milli) + "m");
    return quantity ? quantity->text() : "0";
  }
};

using QuotaSums = std::map<std::string, QuotaSum>;

void add_amounts(QuotaSums& sums, const Tree::Members& amounts) {
  for (const auto& [name, amount] : amounts) {
    const auto quantity = kube::Quantity::parse(amount.scalar());
    if (quantity) sums[name].add(quantity->milli_value(), quantity->format());
  }
}

void raise_to(QuotaSums& sums, const QuotaSums& others) {
  for (const auto& [name, other] : others) {
    auto& sum = sums[name];
    if (other.milli > sum.milli) sum = other;
  }
}

// The requests or limits of a pod. Init containers run one after another, those that restart run until the end.
QuotaSums pod_amounts(const Tree& pod, const char* which) {
  QuotaSums sums;
  QuotaSums restarting;
  QuotaSums starting;
  for (const auto& container : pod.items_at({"spec", "containers"})) {
    add_amounts(sums, container.members_at({"resources", which}));
  }
  for (const auto& container : pod.items_at({"spec", "initContainers"})) {
    const auto& amounts = container.members_at({"resources", which});
    if (container.text_at({"restartPolicy"}) == "Always") {
      add_amounts(restarting, amounts);
      add_amounts(sums, amounts);
    }
    auto meanwhile = restarting;
    if (container.text_at({"restartPolicy"}) != "Always") add_amounts(meanwhile, amounts);
    raise_to(starting, meanwhile);
  }
  raise_to(sums, starting);
  const auto whole = pod.members_at({"spec", "resources", which});
  for (const auto& [name, amount] : whole) sums.erase(name);
  add_amounts(sums, whole);
  add_amounts(sums, pod.members_at({"spec", "overhead"}));
  return sums;
}

bool is_named_quota(const std::string& name) {
  return name == "cpu" || name == "memory" || name == "ephemeral-storage";
}

void add_pod(QuotaSums& used, const Tree& pod) {
  if (is_done(pod)) return;
  used["pods"].add(1000);
  for (const auto& [name, sum] : pod_amounts(pod, "requests")) {
    const auto format = sum.format.value_or(kube::Quantity::Format::kDecimalSi);
    used["requests." + name].add(sum.milli, format);
    if (is_named_quota(name) || name.starts_with("hugepages-")) used[name].add(sum.milli, format);
  }
  for (const auto& [name, sum] : pod_amounts(pod, "limits")) {
    const auto format = sum.format.value_or(kube::Quantity::Format::kDecimalSi);
    if (is_named_quota(name)) used["limits." + name].add(sum.milli, format);
  }
}

void add_service(QuotaSums& used, const Tree& service) {
  const auto type = service.text_at({"spec", "type"});
  used["services"].add(1000);
  if (type == "LoadBalancer") used["services.loadbalancers"].add(1000);
  const Tree* allocates = service.at({"spec", "allocateLoadBalancerNodePorts"});
  const bool has_only_given = type == "LoadBalancer" && allocates != nullptr && *allocates == Tree(false);
  for (const auto& port : service.items_at({"spec", "ports"})) {
    const bool counts =
        has_only_given ? port.integer_at({"nodePort"}) != 0 : type == "NodePort" || type == "LoadBalancer";
    if (counts) used["services.nodeports"].add(1000);
  }
}

void add_claim(QuotaSums& used, const Tree& claim) {
  const auto storage_class = claim.text_at({"spec", "storageClassName"});
  const auto size = kube::Quantity::parse(claim.text_at({"spec", "resources", "requests", "storage"}));
  const auto add = [&](const std::string& prefix) {
    used[prefix + "persistentvolumeclaims"].add(1000);
    if (size) used[prefix + "requests.storage"].add(size->milli_value(), size->format());
  };
  add("");
  if (!storage_class.empty()) add(storage_class + kClassSuffix);
}

bool fits_priority(const Tree& scope, const std::string& priority) {
  const auto op = scope.text_at({"operator"});
  if (op == "Exists") return !priority.empty();
  if (op == "DoesNotExist") return priority.empty();
  const auto values = scope.texts_at({"values"});
  const bool is_listed = !priority.empty() && std::ranges::find(values, priority) != values.end();
  return op == "NotIn" ? !is_listed : is_listed;
}

bool fits_scope(const Tree& scope, const Tree& pod) {
  const auto name = scope.text_at({"scopeName"});
  const bool terminates = pod.at({"spec", "activeDeadlineSeconds"}) != nullptr;
  const bool is_best_effort = pod.text_at({"status", "qosClass"}) == "BestEffort";
  if (name == "Terminating") return terminates;
  if (name == "NotTerminating") return !terminates;
  if (name == "BestEffort") return is_best_effort;
  if (name == "NotBestEffort") return !is_best_effort;
  if (name == "CrossNamespacePodAffinity") return has_affinity_across_namespaces(pod);
  return name == "PriorityClass" && fits_priority(scope, pod.text_at({"spec", "priorityClassName"}));
}

class QuotaSync : public Sync {
 public:
  explicit QuotaSync(const Sync& sync)
      : Sync(sync), scopes_(tree.items_at({"spec", "scopeSelector", "matchExpressions"})) {
    for (const auto& name : tree.items_at({"spec", "scopes"})) scopes_.push_back(Tree::object({{"scopeName", name}}));
  }

  void run() {
    const auto& hard = tree.members_at({"spec", "hard"});
    const auto sums = used(hard);
    std::map<std::string, std::string> texts;
    for (const auto& [name, limit] : hard) {
      if (!is_measured(name)) continue;
      const auto sum = sums.find(name);
      texts[name] = sum == sums.end() ? "0" : sum->second.text();
    }
    auto amounts = Tree::object();
    for (const auto& [name, text] : texts) amounts[name] = text;
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

  template <class Visit>
  void for_each(const ServedKind& of, Visit visit) const {
    const auto& all = operations.world.store.all(of);
    const auto ns = object.ns();
    for (auto one = all.lower_bound(kube::Key(ns, "")); one != all.end() && one->first.ns == ns; ++one) {
      visit(one->second.stored().tree);
    }
  }
  [[nodiscard]] std::int64_t count(const ServedKind& of) const {
    std::int64_t count = 0;
    for_each(of, [&](const Tree& one) { count += of.resource == kube::pods() && !fits(one) ? 0 : 1; });
    return count;
  }
  [[nodiscard]] bool fits(const Tree& pod) const {
    return std::ranges::all_of(scopes_, [&pod](const Tree& scope) { return fits_scope(scope, pod); });
  }

  [[nodiscard]] QuotaSums used(const Tree::Members& hard) const {
    QuotaSums sums;
    for_each(operations.kind(kube::pods()), [&](const Tree& pod) {
      if (fits(pod)) add_pod(sums, pod);
    });
    if (scopes_.empty()) {
      for_each(operations.kind(kube::services()), [&](const Tree& one) { add_service(sums, one); });
      for_each(operations.kind(kube::persistent_volume_claims()), [&](const Tree& one) { add_claim(sums, one); });
    }
    for (const auto& [name, limit] : hard) {
      const bool is_plain =
          name == "configmaps" || name == "secrets" || name == "replicationcontrollers" || name == "resourcequotas";
      const auto* of = counted(is_plain ? "count/" + name : name);
      if (of != nullptr) sums[name].add(count(*of) * 1000);
    }
    return sums;
  }

  std::vector<Tree> scopes_;
};

}  // namespace

void sync_resource_quota(Sync& quota) {
  if (!quota.object.deleting()) QuotaSync(quota).run();
}

}  // namespace keelson::sandbox
