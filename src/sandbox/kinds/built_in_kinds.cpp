#include "src/sandbox/kinds/built_in_kinds.hpp"

#include <algorithm>
#include <map>

#include "keelson/detail/base/text.hpp"
#include "src/sandbox/requests/texts.hpp"

namespace keelson::sandbox {

namespace {

enum Trait : unsigned {
  kNamespaced = 1,
  kStatus = 2,         // a status subresource
  kScale = 4,          // a scale subresource
  kGeneration = 8,     // counts changes of the specification
  kNeedsVersion = 16,  // AllowUnconditionalUpdate is false: a PUT needs a resourceVersion
  kOrphans = 32,       // a deletion without a propagation policy leaves the dependents
  kCreateOnly = 64,    // a review or an action: nothing is stored
  kReadOnly = 128,
  kNoCollectionDelete = 256,
};

struct Row {
  const char* api_version;
  const char* kind;
  const char* plural;
  const char* short_names;
  const char* categories;
  unsigned traits;
};

// The kinds that `kubectl get --raw /apis` of Kubernetes 1.36 lists, in its order. version_view.hpp has those that are
// stored in another version.
constexpr Row kRows[] = {
    {"v1", "Binding", "bindings", "", "", kNamespaced | kCreateOnly},
    {"v1", "ComponentStatus", "componentstatuses", "cs", "", kReadOnly},
    {"v1", "ConfigMap", "configmaps", "cm", "", kNamespaced},
    {"v1", "Endpoints", "endpoints", "ep", "", kNamespaced},
    {"v1", "Event", "events", "ev", "", kNamespaced},
    {"v1", "LimitRange", "limitranges", "limits", "", kNamespaced},
    {"v1", "Namespace", "namespaces", "ns", "", kStatus | kNoCollectionDelete},
    {"v1", "Node", "nodes", "no", "", kStatus},
    {"v1", "PersistentVolumeClaim", "persistentvolumeclaims", "pvc", "", kNamespaced | kStatus},
    {"v1", "PersistentVolume", "persistentvolumes", "pv", "", kStatus},
    {"v1", "Pod", "pods", "po", "all", kNamespaced | kStatus | kGeneration},
    {"v1", "PodTemplate", "podtemplates", "", "", kNamespaced | kGeneration},
    {"v1", "ReplicationController", "replicationcontrollers", "rc", "all",
     kNamespaced | kStatus | kGeneration | kScale | kOrphans},
    {"v1", "ResourceQuota", "resourcequotas", "quota", "", kNamespaced | kStatus},
    {"v1", "Secret", "secrets", "", "", kNamespaced},
    {"v1", "ServiceAccount", "serviceaccounts", "sa", "", kNamespaced},
    {"v1", "Service", "services", "svc", "all", kNamespaced | kStatus},
    {"apiregistration.k8s.io/v1", "APIService", "apiservices", "", "api-extensions", kStatus | kNeedsVersion},
    {"apps/v1", "ControllerRevision", "controllerrevisions", "", "", kNamespaced},
    {"apps/v1", "DaemonSet", "daemonsets", "ds", "all", kNamespaced | kStatus | kGeneration},
    {"apps/v1", "Deployment", "deployments", "deploy", "all", kNamespaced | kStatus | kGeneration | kScale},
    {"apps/v1", "ReplicaSet", "replicasets", "rs", "all", kNamespaced | kStatus | kGeneration | kScale},
    {"apps/v1", "StatefulSet", "statefulsets", "sts", "all", kNamespaced | kStatus | kGeneration | kScale},
    {"events.k8s.io/v1", "Event", "events", "ev", "", kNamespaced},
    {"authentication.k8s.io/v1", "SelfSubjectReview", "selfsubjectreviews", "", "", kCreateOnly},
    {"authentication.k8s.io/v1", "TokenReview", "tokenreviews", "", "", kCreateOnly},
    {"authorization.k8s.io/v1", "LocalSubjectAccessReview", "localsubjectaccessreviews", "", "",
     kNamespaced | kCreateOnly},
    {"authorization.k8s.io/v1", "SelfSubjectAccessReview", "selfsubjectaccessreviews", "", "", kCreateOnly},
    {"authorization.k8s.io/v1", "SelfSubjectRulesReview", "selfsubjectrulesreviews", "", "", kCreateOnly},
    {"authorization.k8s.io/v1", "SubjectAccessReview", "subjectaccessreviews", "", "", kCreateOnly},
    {"autoscaling/v2", "HorizontalPodAutoscaler", "horizontalpodautoscalers", "hpa", "all", kNamespaced | kStatus},
    {"autoscaling/v1", "HorizontalPodAutoscaler", "horizontalpodautoscalers", "hpa", "all", kNamespaced | kStatus},
    {"batch/v1", "CronJob", "cronjobs", "cj", "all", kNamespaced | kStatus | kGeneration},
    {"batch/v1", "Job", "jobs", "", "all", kNamespaced | kStatus | kGeneration | kOrphans},
    {"certificates.k8s.io/v1", "CertificateSigningRequest", "certificatesigningrequests", "csr", "", kStatus},
    {"networking.k8s.io/v1", "IngressClass", "ingressclasses", "", "", kGeneration},
    {"networking.k8s.io/v1", "Ingress", "ingresses", "ing", "", kNamespaced | kStatus | kGeneration},
    {"networking.k8s.io/v1", "IPAddress", "ipaddresses", "ip", "", 0},
    {"networking.k8s.io/v1", "NetworkPolicy", "networkpolicies", "netpol", "", kNamespaced | kGeneration},
    {"networking.k8s.io/v1", "ServiceCIDR", "servicecidrs", "", "", kStatus},
    {"policy/v1", "PodDisruptionBudget", "poddisruptionbudgets", "pdb", "",
     kNamespaced | kStatus | kGeneration | kNeedsVersion},
    {"rbac.authorization.k8s.io/v1", "ClusterRoleBinding", "clusterrolebindings", "", "", 0},
    {"rbac.authorization.k8s.io/v1", "ClusterRole", "clusterroles", "", "", 0},
    {"rbac.authorization.k8s.io/v1", "RoleBinding", "rolebindings", "", "", kNamespaced},
    {"rbac.authorization.k8s.io/v1", "Role", "roles", "", "", kNamespaced},
    {"storage.k8s.io/v1", "CSIDriver", "csidrivers", "", "", kNeedsVersion},
    {"storage.k8s.io/v1", "CSINode", "csinodes", "", "", kNeedsVersion},
    {"storage.k8s.io/v1", "CSIStorageCapacity", "csistoragecapacities", "", "", kNamespaced | kNeedsVersion},
    {"storage.k8s.io/v1", "StorageClass", "storageclasses", "sc", "", 0},
    {"storage.k8s.io/v1", "VolumeAttachment", "volumeattachments", "", "", kStatus | kNeedsVersion},
    {"storage.k8s.io/v1", "VolumeAttributesClass", "volumeattributesclasses", "vac", "", 0},
    {"admissionregistration.k8s.io/v1", "MutatingAdmissionPolicy", "mutatingadmissionpolicies", "", "api-extensions",
     kGeneration | kNeedsVersion},
    {"admissionregistration.k8s.io/v1", "MutatingAdmissionPolicyBinding", "mutatingadmissionpolicybindings", "",
     "api-extensions", kGeneration | kNeedsVersion},
    {"admissionregistration.k8s.io/v1", "MutatingWebhookConfiguration", "mutatingwebhookconfigurations", "",
     "api-extensions", kGeneration | kNeedsVersion},
    {"admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy", "validatingadmissionpolicies", "",
     "api-extensions", kStatus | kGeneration | kNeedsVersion},
    {"admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicyBinding", "validatingadmissionpolicybindings", "",
     "api-extensions", kGeneration | kNeedsVersion},
    {"admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "validatingwebhookconfigurations", "",
     "api-extensions", kGeneration | kNeedsVersion},
    {"apiextensions.k8s.io/v1", "CustomResourceDefinition", "customresourcedefinitions", "crd crds", "api-extensions",
     kStatus | kGeneration | kNeedsVersion},
    {"scheduling.k8s.io/v1", "PriorityClass", "priorityclasses", "pc", "", kGeneration},
    {"coordination.k8s.io/v1", "Lease", "leases", "", "", kNamespaced | kNeedsVersion},
    {"node.k8s.io/v1", "RuntimeClass", "runtimeclasses", "", "", kNeedsVersion},
    {"discovery.k8s.io/v1", "EndpointSlice", "endpointslices", "", "", kNamespaced | kGeneration},
    {"resource.k8s.io/v1", "DeviceClass", "deviceclasses", "", "", kGeneration},
    {"resource.k8s.io/v1", "ResourceClaim", "resourceclaims", "", "", kNamespaced | kStatus},
    {"resource.k8s.io/v1", "ResourceClaimTemplate", "resourceclaimtemplates", "", "", kNamespaced},
    {"resource.k8s.io/v1", "ResourceSlice", "resourceslices", "", "", kGeneration},
    {"flowcontrol.apiserver.k8s.io/v1", "FlowSchema", "flowschemas", "", "", kStatus | kGeneration},
    {"flowcontrol.apiserver.k8s.io/v1", "PriorityLevelConfiguration", "prioritylevelconfigurations", "", "",
     kStatus | kGeneration},
};

struct SubresourceRow {
  const char* plural;
  Subresource subresource;
  const char* group;
  const char* version;
  const char* kind;
  const char* verbs;
};

// The subresources next to status and scale.
constexpr SubresourceRow kSubresources[] = {
    {"namespaces", Subresource::kFinalize, "", "", "Namespace", "update"},
    {"nodes", Subresource::kProxy, "", "", "NodeProxyOptions", "create delete get patch update"},
    {"pods", Subresource::kAttach, "", "", "PodAttachOptions", "create get"},
    {"pods", Subresource::kBinding, "", "", "Binding", "create"},
    {"pods", Subresource::kEphemeralContainers, "", "", "Pod", "get patch update"},
    {"pods", Subresource::kEviction, "policy", "v1", "Eviction", "create"},
    {"pods", Subresource::kExec, "", "", "PodExecOptions", "create get"},
    {"pods", Subresource::kLog, "", "", "Pod", "get"},
    {"pods", Subresource::kPortForward, "", "", "PodPortForwardOptions", "create get"},
    {"pods", Subresource::kProxy, "", "", "PodProxyOptions", "create delete get patch update"},
    {"pods", Subresource::kResize, "", "", "Pod", "get patch update"},
    {"serviceaccounts", Subresource::kToken, "authentication.k8s.io", "v1", "TokenRequest", "create"},
    {"services", Subresource::kProxy, "", "", "ServiceProxyOptions", "create delete get patch update"},
    {"certificatesigningrequests", Subresource::kApproval, "", "", "CertificateSigningRequest", "get patch update"},
};

std::vector<std::string> verbs_of(unsigned traits) {
  if ((traits & kCreateOnly) != 0) return {"create"};
  if ((traits & kReadOnly) != 0) return {"get", "list"};
  auto verbs = words_of("create delete deletecollection get list patch update watch");
  if ((traits & kNoCollectionDelete) != 0) std::erase(verbs, "deletecollection");
  return verbs;
}

void list_all_subresources(ServedKind& kind) {
  list_subresources(kind);
  for (const auto& one : kSubresources) {
    if (kind.resource.plural != one.plural) continue;
    kind.subresources.push_back({one.subresource, one.group, one.version, one.kind, words_of(one.verbs)});
  }
  std::ranges::sort(kind.subresources, {}, &ServedSubresource::name);
}

// The status of a new object.
Tree status_of_new(const std::string& kind) {
  static const std::map<std::string, std::string> kOfKinds{
      {"Pod", R"({"phase":"Pending"})"},
      {"Namespace", R"({"phase":"Active"})"},
      {"Node",
       R"({"daemonEndpoints":{"kubeletEndpoint":{"Port":0}},"nodeInfo":{"machineID":"","systemUUID":"","bootID":"",)"
       R"("kernelVersion":"","osImage":"","containerRuntimeVersion":"","kubeletVersion":"","kubeProxyVersion":"",)"
       R"("operatingSystem":"","architecture":""}})"},
      {"PersistentVolume", R"({"phase":"Pending"})"},
      {"PersistentVolumeClaim", R"({"phase":"Pending"})"},
      {"Service", R"({"loadBalancer":{}})"},
      {"Ingress", R"({"loadBalancer":{}})"},
      {"ResourceQuota", "{}"},
      {"Deployment", "{}"},
      {"Job", "{}"},
      {"CronJob", "{}"},
      {"HorizontalPodAutoscaler", R"({"currentMetrics":null,"desiredReplicas":0})"},
  };
  auto found = kOfKinds.find(kind);
  return found == kOfKinds.end() ? Tree() : json_tree(found->second);
}

ServedKind kind_of(const Row& row) {
  const std::string_view api_version = row.api_version;
  const auto slash = api_version.find('/');
  const auto group = slash == std::string_view::npos ? std::string_view() : api_version.substr(0, slash);
  auto has = [&row](Trait trait) { return (row.traits & trait) != 0; };
  ServedKind kind{
      .resource = {std::string(group), std::string(api_version.substr(slash + 1)), row.kind, row.plural,
                   has(kNamespaced)},
      .has_status = has(kStatus),
      .has_generation = has(kGeneration),
      .needs_version = has(kNeedsVersion),
      .orphans_by_default = has(kOrphans),
      .has_scale = has(kScale),
      .status_default = status_of_new(row.kind),
      .names = {base::to_lower(row.kind), words_of(row.short_names), words_of(row.categories)},
      .verbs = verbs_of(row.traits),
  };
  list_all_subresources(kind);
  if (kind.has_scale) kind.scale = {".spec.replicas", ".status.replicas", ".spec.selector"};
  return kind;
}

}  // namespace

std::vector<ServedKind> built_in_kinds() {
  std::vector<ServedKind> kinds;
  std::ranges::transform(kRows, std::back_inserter(kinds), kind_of);
  return kinds;
}

}  // namespace keelson::sandbox
