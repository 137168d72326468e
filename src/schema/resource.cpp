#include "keelson/schema/identity.hpp"

#include "keelson/detail/base/percent_encoding.hpp"

namespace keelson::kube {

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
