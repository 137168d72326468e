#include "keelson/schema/identity.hpp"

#include "keelson/detail/base/percent_encoding.hpp"
#include "keelson/detail/base/text.hpp"

namespace keelson::kube {

namespace {

bool ends_in_any_of(std::string_view word, std::initializer_list<std::string_view> ends) {
  for (const auto end : ends) {
    if (word.ends_with(end)) return true;
  }
  return false;
}

// kubebuilder's rules for plurals, without the irregular words of its library.
std::string plural_of_word(std::string word) {
  if (ends_in_any_of(word, {"s", "x", "z", "ch", "sh"})) return word + "es";
  const bool is_y_after_consonant = word.ends_with('y') && !ends_in_any_of(word, {"ay", "ey", "iy", "oy", "uy"});
  if (is_y_after_consonant) return word.substr(0, word.size() - 1) + "ies";
  return word + "s";
}

}  // namespace

Resource Identity::resource() const {
  const auto name = plural.empty() ? plural_of(kind) : std::string(plural);
  return {group, version, kind, name, scope == Scope::kNamespaced};
}

std::string plural_of(std::string_view kind) { return plural_of_word(base::to_lower(kind)); }

std::string Resource::path(std::string_view ns, std::string_view name, std::string_view subresource) const {
  std::string out = group.empty() ? "/api/" : "/apis/";
  if (!group.empty()) {
    base::append_path_segment(out, group);
    out += '/';
  }
  base::append_path_segment(out, version);
  if (namespaced && !ns.empty()) {
    out += "/namespaces/";
    base::append_path_segment(out, ns);
  }
  for (std::string_view segment : {std::string_view(plural), name, subresource}) {
    if (segment.empty()) continue;
    out += '/';
    base::append_path_segment(out, segment);
  }
  return out;
}

Resource namespaces() { return {"", "v1", "Namespace", "namespaces", false}; }
Resource nodes() { return {"", "v1", "Node", "nodes", false}; }
Resource pods() { return {"", "v1", "Pod", "pods"}; }
Resource services() { return {"", "v1", "Service", "services"}; }
Resource endpoints() { return {"", "v1", "Endpoints", "endpoints"}; }
Resource config_maps() { return {"", "v1", "ConfigMap", "configmaps"}; }
Resource secrets() { return {"", "v1", "Secret", "secrets"}; }
Resource service_accounts() { return {"", "v1", "ServiceAccount", "serviceaccounts"}; }
Resource persistent_volume_claims() { return {"", "v1", "PersistentVolumeClaim", "persistentvolumeclaims"}; }
Resource component_statuses() { return {"", "v1", "ComponentStatus", "componentstatuses", false}; }
Resource deployments() { return {"apps", "v1", "Deployment", "deployments"}; }
Resource replica_sets() { return {"apps", "v1", "ReplicaSet", "replicasets"}; }
Resource stateful_sets() { return {"apps", "v1", "StatefulSet", "statefulsets"}; }
Resource daemon_sets() { return {"apps", "v1", "DaemonSet", "daemonsets"}; }
Resource controller_revisions() { return {"apps", "v1", "ControllerRevision", "controllerrevisions"}; }
Resource jobs() { return {"batch", "v1", "Job", "jobs"}; }
Resource cron_jobs() { return {"batch", "v1", "CronJob", "cronjobs"}; }
Resource core_events() { return {"", "v1", "Event", "events"}; }
Resource events() { return {"events.k8s.io", "v1", "Event", "events"}; }
Resource leases() { return {"coordination.k8s.io", "v1", "Lease", "leases"}; }
Resource endpoint_slices() { return {"discovery.k8s.io", "v1", "EndpointSlice", "endpointslices"}; }
Resource disruption_budgets() { return {"policy", "v1", "PodDisruptionBudget", "poddisruptionbudgets"}; }
Resource cluster_roles() { return {"rbac.authorization.k8s.io", "v1", "ClusterRole", "clusterroles", false}; }
Resource cluster_role_bindings() {
  return {"rbac.authorization.k8s.io", "v1", "ClusterRoleBinding", "clusterrolebindings", false};
}
Resource custom_resource_definitions() {
  return {"apiextensions.k8s.io", "v1", "CustomResourceDefinition", "customresourcedefinitions", false};
}
Resource mutating_webhook_configurations() {
  return {"admissionregistration.k8s.io", "v1", "MutatingWebhookConfiguration", "mutatingwebhookconfigurations", false};
}
Resource validating_webhook_configurations() {
  return {"admissionregistration.k8s.io", "v1", "ValidatingWebhookConfiguration", "validatingwebhookconfigurations",
          false};
}

}  // namespace keelson::kube
