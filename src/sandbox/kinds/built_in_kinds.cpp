#include "src/sandbox/kinds/built_in_kinds.hpp"

#include <algorithm>
#include <map>
#include <sstream>

#include "keelson/detail/base/text.hpp"

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
  const char* kind;
  const char* plural;
  const char* short_names;
  const char* categories;
  unsigned traits;
};

struct Version {
  const char* group;
  const char* version;
  std::vector<Row> rows;
};

// The kinds that `kubectl get --raw /apis` of Kubernetes 1.36 lists, in its order. version_view.hpp has those that are
// stored in another version.
const std::vector<Version>& versions() {
  static const std::vector<Version> all{
      {"",
       "v1",
       {
           {"Binding", "bindings", "", "", kNamespaced | kCreateOnly},
           {"ComponentStatus", "componentstatuses", "cs", "", kReadOnly},
           {"ConfigMap", "configmaps", "cm", "", kNamespaced},
           {"Endpoints", "endpoints", "ep", "", kNamespaced},
           {"Event", "events", "ev", "", kNamespaced},
           {"LimitRange", "limitranges", "limits", "", kNamespaced},
           {"Namespace", "namespaces", "ns", "", kStatus | kNoCollectionDelete},
           {"Node", "nodes", "no", "", kStatus},
           {"PersistentVolumeClaim", "persistentvolumeclaims", "pvc", "", kNamespaced | kStatus},
           {"PersistentVolume", "persistentvolumes", "pv", "", kStatus},
           {"Pod", "pods", "po", "all", kNamespaced | kStatus | kGeneration},
           {"PodTemplate", "podtemplates", "", "", kNamespaced | kGeneration},
           {"ReplicationController", "replicationcontrollers", "rc", "all",
            kNamespaced | kStatus | kGeneration | kScale},
           {"ResourceQuota", "resourcequotas", "quota", "", kNamespaced | kStatus},
           {"Secret", "secrets", "", "", kNamespaced},
           {"ServiceAccount", "serviceaccounts", "sa", "", kNamespaced},
           {"Service", "services", "svc", "all", kNamespaced | kStatus},
       }},
      {"apiregistration.k8s.io",
       "v1",
       {
           {"APIService", "apiservices", "", "api-extensions", kStatus | kNeedsVersion},
       }},
      {"apps",
       "v1",
       {
           {"ControllerRevision", "controllerrevisions", "", "", kNamespaced},
           {"DaemonSet", "daemonsets", "ds", "all", kNamespaced | kStatus | kGeneration},
           {"Deployment", "deployments", "deploy", "all", kNamespaced | kStatus | kGeneration | kScale},
           {"ReplicaSet", "replicasets", "rs", "all", kNamespaced | kStatus | kGeneration | kScale},
           {"StatefulSet", "statefulsets", "sts", "all", kNamespaced | kStatus | kGeneration | kScale},
       }},
      {"events.k8s.io",
       "v1",
       {
           {"Event", "events", "ev", "", kNamespaced},
       }},
      {"authentication.k8s.io",
       "v1",
       {
           {"SelfSubjectReview", "selfsubjectreviews", "", "", kCreateOnly},
           {"TokenReview", "tokenreviews", "", "", kCreateOnly},
       }},
      {"authorization.k8s.io",
       "v1",
       {
           {"LocalSubjectAccessReview", "localsubjectaccessreviews", "", "", kNamespaced | kCreateOnly},
           {"SelfSubjectAccessReview", "selfsubjectaccessreviews", "", "", kCreateOnly},
           {"SelfSubjectRulesReview", "selfsubjectrulesreviews", "", "", kCreateOnly},
           {"SubjectAccessReview", "subjectaccessreviews", "", "", kCreateOnly},
       }},
      {"autoscaling",
       "v2",
       {
           {"HorizontalPodAutoscaler", "horizontalpodautoscalers", "hpa", "all", kNamespaced | kStatus},
       }},
      {"autoscaling",
       "v1",
       {
           {"HorizontalPodAutoscaler", "horizontalpodautoscalers", "hpa", "all", kNamespaced | kStatus},
       }},
      {"batch",
       "v1",
       {
           {"CronJob", "cronjobs", "cj", "all", kNamespaced | kStatus | kGeneration},
           {"Job", "jobs", "", "all", kNamespaced | kStatus | kGeneration | kOrphans},
       }},
      {"certificates.k8s.io",
       "v1",
       {
           {"CertificateSigningRequest", "certificatesigningrequests", "csr", "", kStatus},
       }},
      {"networking.k8s.io",
       "v1",
       {
           {"IngressClass", "ingressclasses", "", "", kGeneration},
           {"Ingress", "ingresses", "ing", "", kNamespaced | kStatus | kGeneration},
           {"IPAddress", "ipaddresses", "ip", "", 0},
           {"NetworkPolicy", "networkpolicies", "netpol", "", kNamespaced | kGeneration},
           {"ServiceCIDR", "servicecidrs", "", "", kStatus},
       }},
      {"policy",
       "v1",
       {
           {"PodDisruptionBudget", "poddisruptionbudgets", "pdb", "",
            kNamespaced | kStatus | kGeneration | kNeedsVersion},
       }},
      {"rbac.authorization.k8s.io",
       "v1",
       {
           {"ClusterRoleBinding", "clusterrolebindings", "", "", 0},
           {"ClusterRole", "clusterroles", "", "", 0},
           {"RoleBinding", "rolebindings", "", "", kNamespaced},
           {"Role", "roles", "", "", kNamespaced},
       }},
      {"storage.k8s.io",
       "v1",
       {
           {"CSIDriver", "csidrivers", "", "", kNeedsVersion},
           {"CSINode", "csinodes", "", "", kNeedsVersion},
           {"CSIStorageCapacity", "csistoragecapacities", "", "", kNamespaced},
           {"StorageClass", "storageclasses", "sc", "", 0},
           {"VolumeAttachment", "volumeattachments", "", "", kStatus | kNeedsVersion},
           {"VolumeAttributesClass", "volumeattributesclasses", "vac", "", 0},
       }},
      {"admissionregistration.k8s.io",
       "v1",
       {
           {"MutatingAdmissionPolicy", "mutatingadmissionpolicies", "", "api-extensions", kGeneration | kNeedsVersion},
           {"MutatingAdmissionPolicyBinding", "mutatingadmissionpolicybindings", "", "api-extensions",
            kGeneration | kNeedsVersion},
           {"MutatingWebhookConfiguration", "mutatingwebhookconfigurations", "", "api-extensions",
            kGeneration | kNeedsVersion},
           {"ValidatingAdmissionPolicy", "validatingadmissionpolicies", "", "api-extensions",
            kStatus | kGeneration | kNeedsVersion},
           {"ValidatingAdmissionPolicyBinding", "validatingadmissionpolicybindings", "", "api-extensions",
            kGeneration | kNeedsVersion},
           {"ValidatingWebhookConfiguration", "validatingwebhookconfigurations", "", "api-extensions",
            kGeneration | kNeedsVersion},
       }},
      {"apiextensions.k8s.io",
       "v1",
       {
           {"CustomResourceDefinition", "customresourcedefinitions", "crd crds", "api-extensions",
            kStatus | kGeneration | kNeedsVersion},
       }},
      {"scheduling.k8s.io",
       "v1",
       {
           {"PriorityClass", "priorityclasses", "pc", "", kGeneration},
       }},
      {"coordination.k8s.io",
       "v1",
       {
           {"Lease", "leases", "", "", kNamespaced | kNeedsVersion},
       }},
      {"node.k8s.io",
       "v1",
       {
           {"RuntimeClass", "runtimeclasses", "", "", kNeedsVersion},
       }},
      {"discovery.k8s.io",
       "v1",
       {
           {"EndpointSlice", "endpointslices", "", "", kNamespaced | kGeneration},
       }},
      {"resource.k8s.io",
       "v1",
       {
           {"DeviceClass", "deviceclasses", "", "", kGeneration},
           {"ResourceClaim", "resourceclaims", "", "", kNamespaced | kStatus},
           {"ResourceClaimTemplate", "resourceclaimtemplates", "", "", kNamespaced},
           {"ResourceSlice", "resourceslices", "", "", kGeneration},
       }},
      {"flowcontrol.apiserver.k8s.io",
       "v1",
       {
           {"FlowSchema", "flowschemas", "", "", kStatus | kGeneration | kNeedsVersion},
           {"PriorityLevelConfiguration", "prioritylevelconfigurations", "", "", kStatus | kGeneration | kNeedsVersion},
       }},
  };
  return all;
}

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

std::vector<std::string> words(const char* text) {
  std::istringstream stream(text);
  std::vector<std::string> found;
  for (std::string word; stream >> word;) found.push_back(word);
  return found;
}

std::vector<std::string> verbs_of(unsigned traits) {
  if ((traits & kCreateOnly) != 0) return {"create"};
  if ((traits & kReadOnly) != 0) return {"get", "list"};
  std::vector<std::string> verbs{"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"};
  if ((traits & kNoCollectionDelete) != 0) std::erase(verbs, "deletecollection");
  return verbs;
}

void list_all_subresources(ServedKind& kind) {
  list_subresources(kind);
  for (const auto& one : kSubresources) {
    if (kind.resource.plural != one.plural) continue;
    kind.subresources.push_back({one.subresource, one.group, one.version, one.kind, words(one.verbs)});
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
  return found == kOfKinds.end() ? Tree() : *Tree::parse(found->second);
}

ServedKind kind_of(const Version& version, const Row& row) {
  auto has = [&row](Trait trait) { return (row.traits & trait) != 0; };
  ServedKind kind{
      .resource = {version.group, version.version, row.kind, row.plural, has(kNamespaced)},
      .has_status = has(kStatus),
      .has_generation = has(kGeneration),
      .needs_version = has(kNeedsVersion),
      .orphans_by_default = has(kOrphans),
      .has_scale = has(kScale),
      .status_default = status_of_new(row.kind),
      .names = {base::to_lower(row.kind), words(row.short_names), words(row.categories)},
      .verbs = verbs_of(row.traits),
  };
  list_all_subresources(kind);
  if (kind.has_scale) kind.scale = {".spec.replicas", ".status.replicas", ".spec.selector"};
  return kind;
}

}  // namespace

std::vector<ServedKind> built_in_kinds() {
  std::vector<ServedKind> kinds;
  for (const auto& version : versions()) {
    for (const auto& row : version.rows) kinds.push_back(kind_of(version, row));
  }
  return kinds;
}

}  // namespace keelson::sandbox
