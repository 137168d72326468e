#include "src/sandbox/admission/quota_usage.hpp"

#include <algorithm>
#include <vector>

#include "src/sandbox/kinds/pod_defaults.hpp"
#include "src/sandbox/requests/texts.hpp"

namespace keelson::sandbox {

namespace {

constexpr std::int64_t kOneObject = 1000;                              // in thousandths
constexpr std::string_view kLimited = "cpu memory ephemeral-storage";  // without a prefix, and as limits

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
    if (has_word(kLimited, name) || name.starts_with("hugepages-")) usage[name] = amount;
  }
  for (const auto& [name, amount] : pod_amounts(spec, "limits")) {
    if (has_word(kLimited, name)) usage["limits." + name] = amount;
  }
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
  const bool has_only_given =
      type == "LoadBalancer" && service.copy_at({"spec", "allocateLoadBalancerNodePorts"}) == Tree(false);
  const auto counts = [&](const Tree& port) {
    return has_only_given ? port.integer_at({"nodePort"}) != 0 : type == "NodePort" || type == "LoadBalancer";
  };
  usage["services.nodeports"] = {std::ranges::count_if(service.items_at({"spec", "ports"}), counts) * kOneObject};
  usage["services.loadbalancers"] = {type == "LoadBalancer" ? kOneObject : 0};
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

}  // namespace

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

Amounts masked(const Amounts& amounts, const Amounts& names) {
  Amounts some;
  for (const auto& [name, amount] : amounts) {
    if (names.contains(name)) some.emplace(name, amount);
  }
  return some;
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
