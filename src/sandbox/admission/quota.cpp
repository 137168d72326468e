#include "src/sandbox/admission/quota.hpp"

#include <algorithm>
#include <vector>

#include "src/sandbox/admission/amounts.hpp"
#include "src/sandbox/admission/quota_usage.hpp"
#include "src/sandbox/requests/texts.hpp"

namespace keelson::sandbox {

namespace {

const Store::Entries& quotas_of(const World& world) {
  static const kube::Resource kQuotas("", "v1", "ResourceQuota", "resourcequotas", true);
  return world.store.all(*world.kinds.find(kQuotas));
}

// The usage of the other objects in the namespace.
Amounts usage_of_others(const World& world, const ServedKind& kind, const Attributes& attributes, const Tree& spec,
                        const Amounts& names) {
  Amounts used;
  const auto& all = world.store.all(kind.home());
  for (auto entry = all.lower_bound(kube::Key(attributes.ns, ""));
       entry != all.end() && entry->first.ns == attributes.ns; ++entry) {
    if (entry->first.name == attributes.name) continue;
    const auto& object = entry->second.stored().tree;
    if (!counts_object(spec, kind.resource, object)) continue;
    add_amounts(used, masked(usage_of_object(kind.resource, object), names));
  }
  return used;
}

// "limits.memory for: c; requests.cpu for: c,d": resources of a quota that each container must have.
std::string missing_resources(const Amounts& hard, const Tree& spec) {
  std::string text;
  for (const auto& [name, unused] : hard) {
    constexpr std::string_view kComputed = "cpu memory requests.cpu requests.memory limits.cpu limits.memory";
    if (!has_word(kComputed, name)) continue;
    const bool is_limit = name.starts_with("limits.");
    const auto dot = name.find('.');
    const auto resource = dot == std::string::npos ? name : name.substr(dot + 1);
    std::string containers;
    for (const char* list : {"containers", "initContainers"}) {
      for (const auto& container : spec.items_at({list})) {
        if (container.at({"resources", is_limit ? "limits" : "requests", resource}) != nullptr) continue;
        containers += (containers.empty() ? "" : ",") + container.text_at({"name"});
      }
    }
    if (!containers.empty()) text += (text.empty() ? "" : "; ") + name + " for: " + containers;
  }
  return text;
}

bool is_charged(const Attributes& attributes) {
  const bool is_resize = attributes.resource == kube::pods() && attributes.subresource == "resize";
  if (is_resize) return true;
  if (!attributes.subresource.empty()) return false;
  return attributes.operation == "CREATE" ||
         (attributes.operation == "UPDATE" && is_core(attributes.resource, "services persistentvolumeclaims"));
}

std::string error_of_quota(const World& world, const ServedKind& kind, const Attributes& attributes,
                           const std::string& name, const Tree& spec) {
  const auto& object = attributes.object;
  if (!counts_object(spec, kind.resource, object)) return "";
  const auto hard = amounts_in(spec.find("hard"));
  const bool is_new_pod = kind.resource == kube::pods() && attributes.operation == "CREATE";
  const auto missing = is_new_pod ? missing_resources(hard, object.copy_at({"spec"})) : std::string();
  if (!missing.empty()) return "failed quota: " + name + ": must specify " + missing;
  auto requested = masked(usage_of_object(kind.resource, object), hard);
  Amounts before;
  if (!attributes.old_object.is_null() && counts_object(spec, kind.resource, attributes.old_object)) {
    before = masked(usage_of_object(kind.resource, attributes.old_object), hard);
  }
  for (auto& [resource, amount] : requested) {
    const auto old = before.find(resource);
    if (old != before.end()) amount.milli -= old->second.milli;
  }
  std::erase_if(requested, [](const auto& one) { return one.second.milli <= 0; });
  if (requested.empty()) return "";
  auto used = usage_of_others(world, kind, attributes, spec, requested);
  add_amounts(used, before);
  Amounts exceeded;
  for (const auto& [resource, amount] : requested) {
    if (limited_sum(used[resource].milli, amount.milli) > hard.at(resource).milli) exceeded[resource] = amount;
  }
  if (exceeded.empty()) return "";
  return "exceeded quota: " + name + ", requested: " + printed_amounts(exceeded, exceeded) +
         ", used: " + printed_amounts(used, exceeded) + ", limited: " + printed_amounts(hard, exceeded);
}

}  // namespace

bool has_quota(const World& world, const std::string& ns) {
  const auto& all = quotas_of(world);
  const auto first = all.lower_bound(kube::Key(ns, ""));
  return !ns.empty() && first != all.end() && first->first.ns == ns;
}

std::string quota_error(const World& world, const ServedKind& kind, const Attributes& attributes) {
  if (!is_charged(attributes)) return "";
  const auto& all = quotas_of(world);
  for (auto entry = all.lower_bound(kube::Key(attributes.ns, ""));
       entry != all.end() && entry->first.ns == attributes.ns; ++entry) {
    const auto spec = entry->second.stored().tree.copy_at({"spec"});
    auto error = error_of_quota(world, kind, attributes, entry->first.name, spec);
    if (!error.empty()) return error;
  }
  return "";
}

}  // namespace keelson::sandbox
