#include "src/sandbox/kinds/defaults.hpp"

#include "keelson/detail/base/text.hpp"
#include "keelson/schema/identity.hpp"
#include "src/sandbox/kinds/pod_defaults.hpp"

namespace keelson::sandbox {

namespace {

void default_template(Tree& spec) {
  if (Tree* pod = spec.find("template")) {
    pod->set_default("metadata", Tree::object());
    if (Tree* pod_spec = pod->find("spec")) default_pod_spec(*pod_spec);
  }
}

void default_deployment(Tree& spec) {
  spec.set_default("replicas", 1);
  spec.set_default("strategy", Tree::object());
  spec["strategy"].set_default("type", "RollingUpdate");
  if (spec.text_at({"strategy", "type"}) == "RollingUpdate") {
    spec["strategy"].set_default("rollingUpdate", Tree::object());
    spec["strategy"]["rollingUpdate"].set_default("maxUnavailable", "25%");
    spec["strategy"]["rollingUpdate"].set_default("maxSurge", "25%");
  }
  spec.set_default("revisionHistoryLimit", 10);
  spec.set_default("progressDeadlineSeconds", 600);
  default_template(spec);
}

// A claim template is stored as a claim that is not bound yet, with its type.
void default_claim_template(Tree& claim) {
  if (!claim.is_object()) return;
  for (const char* name : {"kind", "apiVersion"}) claim.erase(name);
  claim.members().emplace_front("apiVersion", "v1");
  claim.members().emplace_front("kind", "PersistentVolumeClaim");
  if (Tree* spec = claim.find("spec"); spec != nullptr && spec->is_object()) default_claim(*spec);
  claim.set_default("status", Tree::object());
  claim["status"].set_default("phase", "Pending");
}

void default_stateful_set(Tree& spec) {
  spec.set_default("replicas", 1);
  spec.set_default("podManagementPolicy", "OrderedReady");
  spec.set_default("updateStrategy", Tree::object());
  auto& strategy = spec["updateStrategy"];
  if (strategy.text_at({"type"}).empty()) {
    strategy["type"] = "RollingUpdate";
    strategy.set_default("rollingUpdate", Tree::object());
  }
  if (Tree* rolling = strategy.find("rollingUpdate"); rolling != nullptr) rolling->set_default("partition", 0);
  spec.set_default("revisionHistoryLimit", 10);
  spec.set_default("persistentVolumeClaimRetentionPolicy", Tree::object());
  for (const char* when : {"whenDeleted", "whenScaled"}) {
    spec["persistentVolumeClaimRetentionPolicy"].set_default(when, "Retain");
  }
  for (auto& claim : spec.items_of("volumeClaimTemplates")) default_claim_template(claim);
  default_template(spec);
}

void default_daemon_set(Tree& spec) {
  spec.set_default("updateStrategy", Tree::object());
  auto& strategy = spec["updateStrategy"];
  strategy.set_default("type", "RollingUpdate");
  if (strategy.text_at({"type"}) == "RollingUpdate") {
    strategy.set_default("rollingUpdate", Tree::object());
    strategy["rollingUpdate"].set_default("maxUnavailable", 1);
    strategy["rollingUpdate"].set_default("maxSurge", 0);
  }
  spec.set_default("revisionHistoryLimit", 10);
  default_template(spec);
}

void default_failure_policy(Tree& policy) {
  for (auto& rule : policy.items_of("rules")) {
    for (auto& pattern : rule.items_of("onPodConditions")) pattern.set_default("status", "True");
  }
}

void default_job(Tree& spec) {
  // A Job with parallelism but without completions is a work queue.
  if (spec.find("parallelism") == nullptr) spec.set_default("completions", 1);
  spec.set_default("parallelism", 1);
  spec.set_default("backoffLimit", 6);
  spec.set_default("completionMode", "NonIndexed");
  spec.set_default("suspend", false);
  spec.set_default("manualSelector", false);
  Tree* failure_policy = spec.find("podFailurePolicy");
  const bool has_failure_policy = failure_policy != nullptr;
  if (has_failure_policy) default_failure_policy(*failure_policy);
  spec.set_default("podReplacementPolicy", has_failure_policy ? "Failed" : "TerminatingOrFailed");
  default_template(spec);
}

void default_cron_job(Tree& spec) {
  spec.set_default("concurrencyPolicy", "Allow");
  spec.set_default("suspend", false);
  spec.set_default("successfulJobsHistoryLimit", 3);
  spec.set_default("failedJobsHistoryLimit", 1);
  Tree* job = spec.find("jobTemplate");
  if (job == nullptr) return;
  job->set_default("metadata", Tree::object());
  if (Tree* job_spec = job->find("spec")) default_template(*job_spec);
}

void default_service_ports(Tree& spec) {
  const bool is_headless = spec.text_at({"clusterIP"}) == "None" && spec.find("selector") == nullptr;
  for (auto& port : spec.items_of("ports")) {
    default_container_port(port);
    const Tree* number = port.find("port");
    if (number == nullptr || is_headless) continue;
    auto same = *number;
    port.set_default("targetPort", same);
  }
}

void default_service(Tree& spec) {
  spec.set_default("type", "ClusterIP");
  spec.set_default("sessionAffinity", "None");
  if (spec.text_at({"sessionAffinity"}) == "ClientIP") {
    spec.set_default("sessionAffinityConfig", Tree::object({{"clientIP", Tree::object({{"timeoutSeconds", 10800}})}}));
  }
  auto type = spec.text_at({"type"});
  if (type == "NodePort" || type == "LoadBalancer") spec.set_default("externalTrafficPolicy", "Cluster");
  if (type == "LoadBalancer") spec.set_default("allocateLoadBalancerNodePorts", true);
  default_service_ports(spec);
  if (type == "ExternalName") return;
  spec.set_default("internalTrafficPolicy", "Cluster");
  spec.set_default("ipFamilyPolicy", "SingleStack");
  spec.set_default("ipFamilies", Tree::array({"IPv4"}));
  if (const Tree* address = spec.find("clusterIP")) {
    auto same = *address;
    spec.set_default("clusterIPs", Tree::array({same}));
  }
}

void default_autoscaler(Tree& spec) {
  spec.set_default("minReplicas", 1);
  auto cpu =
      Tree::object({{"name", "cpu"}, {"target", Tree::object({{"type", "Utilization"}, {"averageUtilization", 80}})}});
  auto metric = Tree::object({{"type", "Resource"}, {"resource", cpu}});
  spec.set_default("metrics", Tree::array({metric}));
}

void default_volume_spec(Tree& spec) {
  spec.set_default("persistentVolumeReclaimPolicy", "Retain");
  spec.set_default("volumeMode", "Filesystem");
}

void default_network_policy(Tree& spec) {
  auto types = Tree::array({"Ingress"});
  if (spec.find("egress") != nullptr) types.items().emplace_back("Egress");
  spec.set_default("policyTypes", types);
}

void add_missing(Tree& item, const char* to, const char* from) {
  const Tree* found = item.find(from);
  if (found == nullptr || found->is_empty()) return;
  const auto amounts = *found;
  item.set_default(to, Tree::object());
  for (const auto& [name, amount] : amounts.members()) item[to].set_default(name, amount);
}

void default_limit_range(Tree& spec) {
  for (auto& item : spec.items_of("limits")) {
    if (item.text_at({"type"}) != "Container") continue;
    add_missing(item, "default", "max");
    add_missing(item, "defaultRequest", "default");
    add_missing(item, "defaultRequest", "min");
  }
}

// Kinds without a spec, or with defaults outside of it.
void default_rest(const kube::Resource& resource, Tree& object) {
  if (resource.group.empty() && resource.kind == "Secret") object.set_default("type", "Opaque");
  if (resource.group.empty() && resource.kind == "Node") object.set_default("spec", Tree::object());
  if (resource == kube::namespaces()) {
    auto name = object.text_at({"metadata", "name"});
    if (!name.empty()) object["metadata"]["labels"]["kubernetes.io/metadata.name"] = name;
    object["status"].set_default("phase", "Active");
    object.set_default("spec", Tree::object());
    object["spec"].set_default("finalizers", Tree::array({"kubernetes"}));
  }
  if (resource.kind == "PriorityClass") object.set_default("preemptionPolicy", "PreemptLowerPriority");
  if (resource.kind == "StorageClass") {
    object.set_default("reclaimPolicy", "Delete");
    object.set_default("volumeBindingMode", "Immediate");
  }
}

// The names of a CRD as the API server completes them; the served kind has these names.
void default_definition(Tree& spec) {
  Tree* names = spec.find("names");
  if (names == nullptr) return;
  auto kind = names->text_at({"kind"});
  names->set_default("singular", base::to_lower(kind));
  names->set_default("listKind", kind + "List");
  spec.set_default("conversion", Tree::object({{"strategy", "None"}}));
}

void default_webhook(Tree& webhook, bool is_mutating) {
  webhook.set_default("failurePolicy", "Fail");
  webhook.set_default("matchPolicy", "Equivalent");
  webhook.set_default("namespaceSelector", Tree::object());
  webhook.set_default("objectSelector", Tree::object());
  webhook.set_default("timeoutSeconds", 10);
  if (is_mutating) webhook.set_default("reinvocationPolicy", "Never");
  for (auto& rule : webhook.items_of("rules")) rule.set_default("scope", "*");
  Tree* config = webhook.find("clientConfig");
  Tree* service = config != nullptr ? config->find("service") : nullptr;
  if (service != nullptr && service->is_object()) service->set_default("port", 443);
}

void default_binding(Tree& object) {
  constexpr const char* kGroup = "rbac.authorization.k8s.io";
  if (Tree* role = object.find("roleRef"); role != nullptr && role->is_object()) {
    if (role->text_at({"apiGroup"}).empty()) (*role)["apiGroup"] = kGroup;
  }
  for (auto& subject : object.items_of("subjects")) {
    auto kind = subject.text_at({"kind"});
    const bool has_group = !subject.text_at({"apiGroup"}).empty();
    if (!has_group && (kind == "User" || kind == "Group")) subject["apiGroup"] = kGroup;
  }
}

}  // namespace

void set_defaults(const ServedKind& kind, Tree& object) {
  const auto& resource = kind.resource;
  if (kind.is_custom) return;
  if (resource.group == "admissionregistration.k8s.io") {
    const bool is_mutating = resource.kind == "MutatingWebhookConfiguration";
    for (auto& webhook : object.items_of("webhooks")) default_webhook(webhook, is_mutating);
  }
  default_rest(resource, object);
  if (resource.kind == "RoleBinding" || resource.kind == "ClusterRoleBinding") default_binding(object);
  Tree* spec = object.find("spec");
  if (spec == nullptr) return;
  if (resource == kube::deployments()) default_deployment(*spec);
  if (resource == kube::stateful_sets()) default_stateful_set(*spec);
  if (resource == kube::daemon_sets()) default_daemon_set(*spec);
  if (resource == kube::jobs()) default_job(*spec);
  if (resource == kube::cron_jobs()) default_cron_job(*spec);
  if (resource == kube::services()) default_service(*spec);
  if (resource == kube::custom_resource_definitions()) default_definition(*spec);
  if (resource == kube::pods()) default_pod(*spec);
  if (resource == kube::persistent_volume_claims()) default_claim(*spec);
  if (resource.kind == "PersistentVolume") default_volume_spec(*spec);
  if (resource.kind == "HorizontalPodAutoscaler") default_autoscaler(*spec);
  if (resource.kind == "NetworkPolicy") default_network_policy(*spec);
  if (resource.kind == "LimitRange") default_limit_range(*spec);
  if (resource == kube::replica_sets()) {
    spec->set_default("replicas", 1);
    default_template(*spec);
  }
}

}  // namespace keelson::sandbox
