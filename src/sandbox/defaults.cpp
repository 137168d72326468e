#include "src/sandbox/defaults.hpp"

#include "keelson/base/text.hpp"
#include "src/sandbox/controllers/resources.hpp"

namespace keelson::sandbox {

namespace {

void default_port(Tree& port) { port.set_default("protocol", "TCP"); }

void default_container(Tree& container) {
  auto image = container.text_at({"image"});
  bool is_latest = image.find(':') == std::string::npos || image.ends_with(":latest");
  container.set_default("imagePullPolicy", is_latest ? "Always" : "IfNotPresent");
  container.set_default("terminationMessagePath", "/dev/termination-log");
  container.set_default("terminationMessagePolicy", "File");
  container.set_default("resources", Tree::object());
  if (Tree* ports = container.find("ports")) {
    for (auto& port : ports->items()) default_port(port);
  }
}

void default_pod_spec(Tree& spec) {
  for (const char* list : {"containers", "initContainers"}) {
    Tree* containers = spec.find(list);
    if (containers == nullptr) continue;
    for (auto& container : containers->items()) default_container(container);
  }
  spec.set_default("restartPolicy", "Always");
  spec.set_default("terminationGracePeriodSeconds", 30);
  spec.set_default("dnsPolicy", "ClusterFirst");
  spec.set_default("securityContext", Tree::object());
  spec.set_default("schedulerName", "default-scheduler");
}

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

void default_job(Tree& spec) {
  spec.set_default("completions", 1);
  spec.set_default("parallelism", 1);
  spec.set_default("backoffLimit", 6);
  spec.set_default("completionMode", "NonIndexed");
  spec.set_default("suspend", false);
  spec.set_default("manualSelector", false);
  default_template(spec);
}

void default_cron_job(Tree& spec) {
  spec.set_default("concurrencyPolicy", "Allow");
  spec.set_default("suspend", false);
  spec.set_default("successfulJobsHistoryLimit", 3);
  spec.set_default("failedJobsHistoryLimit", 1);
}

void default_service(Tree& spec) {
  spec.set_default("type", "ClusterIP");
  spec.set_default("sessionAffinity", "None");
  spec.set_default("internalTrafficPolicy", "Cluster");
  spec.set_default("ipFamilyPolicy", "SingleStack");
  spec.set_default("ipFamilies", Tree::array({"IPv4"}));
  if (const Tree* address = spec.find("clusterIP")) {
    auto same = *address;
    spec.set_default("clusterIPs", Tree::array({same}));
  }
  Tree* ports = spec.find("ports");
  if (ports == nullptr) return;
  for (auto& port : ports->items()) {
    default_port(port);
    if (const Tree* number = port.find("port")) {
      auto same = *number;
      port.set_default("targetPort", same);
    }
  }
}

// As the API server completes names; what is served follows them.
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
  Tree* rules = webhook.find("rules");
  if (rules != nullptr) {
    for (auto& rule : rules->items()) rule.set_default("scope", "*");
  }
  Tree* config = webhook.find("clientConfig");
  Tree* service = config != nullptr ? config->find("service") : nullptr;
  if (service != nullptr && service->is_object()) service->set_default("port", 443);
}

void default_webhooks(const kube::Resource& resource, Tree& object) {
  Tree* webhooks = object.find("webhooks");
  if (resource.group != "admissionregistration.k8s.io" || webhooks == nullptr) return;
  for (auto& webhook : webhooks->items()) default_webhook(webhook, resource.kind == "MutatingWebhookConfiguration");
}

void default_namespace(Tree& object) {
  auto& metadata = object["metadata"];
  auto name = metadata.text_at({"name"});
  if (!name.empty()) metadata["labels"]["kubernetes.io/metadata.name"] = name;
  object["status"].set_default("phase", "Active");
}

}  // namespace

void set_defaults(const ServedKind& kind, Tree& object) {
  const auto& resource = kind.resource;
  default_webhooks(resource, object);
  if (resource.group.empty() && resource.plural == "namespaces") default_namespace(object);
  Tree* spec = object.find("spec");
  if (spec == nullptr || kind.is_custom) return;
  if (resource == kube::deployments()) default_deployment(*spec);
  if (resource == stateful_sets()) default_stateful_set(*spec);
  if (resource == daemon_sets()) default_daemon_set(*spec);
  if (resource == kube::jobs()) default_job(*spec);
  if (resource == cron_jobs()) default_cron_job(*spec);
  if (resource == kube::services()) default_service(*spec);
  if (resource == kube::custom_resource_definitions()) default_definition(*spec);
  if (resource == kube::pods()) default_pod_spec(*spec);
  if (resource == kube::replica_sets()) {
    spec->set_default("replicas", 1);
    default_template(*spec);
  }
}

}  // namespace keelson::sandbox
