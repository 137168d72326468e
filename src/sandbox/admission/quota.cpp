#include "src/sandbox/admission/quota.hpp"

#include <algorithm>
#include <vector>

#include "src/sandbox/admission/amounts.hpp"
#include "src/sandbox/kinds/pod_defaults.hpp"
#include "src/sandbox/requests/texts.hpp"

namespace keelson::sandbox {

namespace {

constexpr std::int64_t kOneObject = 1000;  // in thousandths

const Store::Entries& quotas_of(const World& world) {
  static const kube::Resource kQuotas("", "v1", "ResourceQuota", "resourcequotas", true);
  return world.store.all(*world.kinds.find(kQuotas));
}

std::string counted_name(const kube::Resource& resource) {
  return "count/" + resource.plural + (resource.group.empty() ? "" : "." + resource.group);
}

bool is_terminal(const Tree& pod) {
  const auto phase = pod.text_at({"status", "phase"});
  return phase == "Succeeded" || phase == "Failed";
}

Amounts pod_usage(const Tree& pod) {
  Amounts usage{{"count/pods", {kOneObject}}};
  if (is_terminal(pod)) return usage;
  usage["pods"] = {kOneObject};
  const auto spec = pod.copy_at({"spec"});
  for (const auto& [name, amount] : pod_amounts(spec, "requests")) {
    usage["requests." + name] = amount;
    if (has_word("cpu memory ephemeral-storage", name) || name.starts_with("hugepages-")) usage[name] = amount;
  }
  for (const auto& [name, amount] : pod_amounts(spec, "limits")) usage["limits." + name] = amount;
  return usage;
}

Amounts claim_usage(const Tree& claim) {
  Amounts usage{{"persistentvolumeclaims", {kOneObject}}, {"count/persistentvolumeclaims", {kOneObject}}};
  const auto requests = amounts_in(claim.at({"spec", "resources", "requests"}));
  const auto storage = requests.find("storage");
  if (storage != requests.end()) usage["requests.storage"] = storage->second;
  const auto storage_class = claim.text_at({"spec", "storageClassName"});
  if (storage_class.empty()) return usage;
  const auto start = storage_class + ".storageclass.storage.k8s.io/";
  usage[start + "persistentvolumeclaims"] = {kOneObject};
  if (storage != requests.end()) usage[start + "requests.storage"] = storage->second;
  return usage;
}

Amounts service_usage(const Tree& service) {
  Amounts usage{{"services", {kOneObject}}, {"count/services", {kOneObject}}};
  const auto type = service.text_at({"spec", "type"});
  const auto ports = static_cast<std::int64_t>(service.items_at({"spec", "ports"}).size());
  const Tree* allocates = service.at({"spec", "allocateLoadBalancerNodePorts"});
  const bool has_node_ports =
      type == "NodePort" || (type == "LoadBalancer" && (allocates == nullptr || *allocates != Tree(false)));
  usage["services.nodeports"] = {has_node_ports ? ports * kOneObject : 0};
  usage["services.loadbalancers"] = {type == "LoadBalancer" ? kOneObject : 0};
  return usage;
}

bool is_core(const kube::Resource& resource, std::string_view plurals) {
  return resource.group.empty() && has_word(plurals, resource.plural);
}

Amounts usage_of_object(const kube::Resource& resource, const Tree& object) {
  if (is_core(resource, "pods")) return pod_usage(object);
  if (is_core(resource, "persistentvolumeclaims")) return claim_usage(object);
  if (is_core(resource, "services")) return service_usage(object);
  Amounts usage{{counted_name(resource), {kOneObject}}};
  if (is_core(resource, "configmaps secrets replicationcontrollers resourcequotas")) {
    usage[resource.plural] = {kOneObject};
  }
  return usage;
}

bool is_best_effort(const Tree& pod) {
  const Tree* spec = pod.find("spec");
  return spec != nullptr && qos_class(*spec) == "BestEffort";
}

bool meets_scope(const std::string& scope, const std::string& how, const std::vector<std::string>& values,
                 const Tree& pod) {
  const bool has_deadline = pod.at({"spec", "activeDeadlineSeconds"}) != nullptr;
  if (scope == "Terminating") return has_deadline;
  if (scope == "NotTerminating") return !has_deadline;
  if (scope == "BestEffort") return is_best_effort(pod);
  if (scope == "NotBestEffort") return !is_best_effort(pod);
  if (scope == "CrossNamespacePodAffinity") return has_affinity_across_namespaces(pod);
  if (scope != "PriorityClass") return false;
  const auto name = pod.text_at({"spec", "priorityClassName"});
  if (how == "Exists") return !name.empty();
  if (how == "DoesNotExist") return name.empty();
  return contains(values, name) == (how == "In");
}

// Whether the quota counts the object; only pods have scopes.
bool counts_object(const Tree& quota_spec, const kube::Resource& resource, const Tree& object) {
  const auto scopes = quota_spec.texts_at({"scopes"});
  const auto& selectors = quota_spec.items_at({"scopeSelector", "matchExpressions"});
  if (scopes.empty() && selectors.empty()) return true;
  if (resource != kube::pods()) return false;
  return std::ranges::all_of(scopes, [&](const auto& scope) { return meets_scope(scope, "Exists", {}, object); }) &&
         std::ranges::all_of(selectors, [&](const Tree& selector) {
           return meets_scope(selector.text_at({"scopeName"}), selector.text_at({"operator"}),
                              selector.texts_at({"values"}), object);
         });
}

// Those of `amounts` that `names` has.
Amounts masked(const Amounts& amounts, const Amounts& names) {
  Amounts some;
  for (const auto& [name, amount] : amounts) {
    if (names.contains(name)) some.emplace(name, amount);
  }
  return some;
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

bool has_affinity_across_namespaces(const Tree& pod) {
  for (const char* kind : {"podAffinity", "podAntiAffinity"}) {
    const auto terms = pod.copy_at({"spec", "affinity", kind});
    const auto is_across = [](const Tree& term) {
      return !term.items_at({"namespaces"}).empty() || term.find("namespaceSelector") != nullptr;
    };
    if (std::ranges::any_of(terms.items_at({"requiredDuringSchedulingIgnoredDuringExecution"}), is_across)) return true;
    for (const auto& weighted : terms.items_at({"preferredDuringSchedulingIgnoredDuringExecution"})) {
      if (is_across(weighted.copy_at({"podAffinityTerm"}))) return true;
    }
  }
  return false;
}

}  // namespace keelson::sandbox
