#include "src/sandbox/controllers/resources.hpp"

namespace keelson::sandbox {

const kube::Resource& namespaces() {
  static const kube::Resource resource("", "v1", "Namespace", "namespaces", false);
  return resource;
}

const kube::Resource& service_accounts() {
  static const kube::Resource resource("", "v1", "ServiceAccount", "serviceaccounts");
  return resource;
}

const kube::Resource& component_statuses() {
  static const kube::Resource resource("", "v1", "ComponentStatus", "componentstatuses", false);
  return resource;
}

const kube::Resource& nodes() {
  static const kube::Resource resource("", "v1", "Node", "nodes", false);
  return resource;
}

const kube::Resource& persistent_volume_claims() {
  static const kube::Resource resource("", "v1", "PersistentVolumeClaim", "persistentvolumeclaims");
  return resource;
}

const kube::Resource& stateful_sets() {
  static const kube::Resource resource("apps", "v1", "StatefulSet", "statefulsets");
  return resource;
}

const kube::Resource& daemon_sets() {
  static const kube::Resource resource("apps", "v1", "DaemonSet", "daemonsets");
  return resource;
}

const kube::Resource& controller_revisions() {
  static const kube::Resource resource("apps", "v1", "ControllerRevision", "controllerrevisions");
  return resource;
}

const kube::Resource& cron_jobs() {
  static const kube::Resource resource("batch", "v1", "CronJob", "cronjobs");
  return resource;
}

const kube::Resource& disruption_budgets() {
  static const kube::Resource resource("policy", "v1", "PodDisruptionBudget", "poddisruptionbudgets");
  return resource;
}

const kube::Resource& endpoints() {
  static const kube::Resource resource("", "v1", "Endpoints", "endpoints");
  return resource;
}

const kube::Resource& endpoint_slices() {
  static const kube::Resource resource("discovery.k8s.io", "v1", "EndpointSlice", "endpointslices");
  return resource;
}

const kube::Resource& cluster_roles() {
  static const kube::Resource resource("rbac.authorization.k8s.io", "v1", "ClusterRole", "clusterroles", false);
  return resource;
}

const kube::Resource& cluster_role_bindings() {
  static const kube::Resource resource("rbac.authorization.k8s.io", "v1", "ClusterRoleBinding", "clusterrolebindings",
                                       false);
  return resource;
}

}  // namespace keelson::sandbox
