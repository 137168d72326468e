#include "src/sandbox/kinds/defaults.hpp"

#include <cstdint>
#include <limits>
#include <map>
#include <utility>

#include "keelson/detail/base/base64.hpp"
#include "keelson/detail/base/parse_number.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/schema/identity.hpp"
#include "src/sandbox/kinds/pod_defaults.hpp"

namespace keelson::sandbox {

namespace {

// The template of `rollingUpdate` is completed if this is the strategy.
void default_rolling_update(Tree& strategy, const Tree& rolling) {
  if (strategy.text_at({"type"}) != "RollingUpdate") return;
  strategy.set_default("rollingUpdate", Tree::object());
  set_missing(strategy["rollingUpdate"], rolling);
}

void default_deployment_strategy(Tree& strategy) {
  static const auto kRolling = json_tree(R"({"maxUnavailable":"25%","maxSurge":"25%"})");
  default_rolling_update(strategy, kRolling);
}

void default_daemon_set_strategy(Tree& strategy) {
  static const auto kRolling = json_tree(R"({"maxUnavailable":1,"maxSurge":0})");
  default_rolling_update(strategy, kRolling);
}

void default_stateful_set_strategy(Tree& strategy) {
  if (strategy.text_at({"type"}).empty()) {
    strategy["type"] = "RollingUpdate";
    strategy.set_default("rollingUpdate", Tree::object());
  }
  if (Tree* rolling = strategy.find("rollingUpdate")) rolling->set_default("partition", 0);
}

// A claim template is stored as a claim that is not bound yet, with its type.
void default_claim_template(Tree& claim) {
  if (!claim.is_object()) return;
  for (const char* name : {"kind", "apiVersion"}) claim.erase(name);
  claim.members().emplace_front("apiVersion", "v1");
  claim.members().emplace_front("kind", "PersistentVolumeClaim");
}

void default_stateful_set(Tree& spec) {
  for (auto& claim : spec.items_of("volumeClaimTemplates")) default_claim_template(claim);
}

// The labels of a template are those of its owner, if this one has none.
void default_labels(Tree& object) {
  const Tree* labels = object.at({"spec", "template", "metadata", "labels"});
  if (labels == nullptr || labels->is_empty()) return;
  const auto same = *labels;
  auto& metadata = object["metadata"];
  if (metadata.copy_at({"labels"}).is_empty()) metadata["labels"] = same;
}

void default_job(Tree& job) {
  auto& spec = job["spec"];
  // A Job with parallelism but without completions is a work queue.
  if (spec.find("parallelism") == nullptr) spec.set_default("completions", 1);
  spec.set_default("parallelism", 1);
  const bool counts_per_index = spec.find("backoffLimitPerIndex") != nullptr;
  spec.set_default("backoffLimit", counts_per_index ? std::numeric_limits<std::int32_t>::max() : 6);
  spec.set_default("podReplacementPolicy", spec.find("podFailurePolicy") ? "Failed" : "TerminatingOrFailed");
  default_labels(job);
}

void default_replication_controller(Tree& object) {
  default_labels(object);
  const auto labels = object.copy_at({"spec", "template", "metadata", "labels"});
  if (!labels.is_empty() && object.copy_at({"spec", "selector"}).is_empty()) object["spec"]["selector"] = labels;
}

bool is_unset(const Tree& port) { return port == Tree(0) || port == Tree(""); }

void default_service_ports(Tree& spec) {
  for (auto& port : spec.items_of("ports")) {
    if (const Tree* target = port.find("targetPort"); target != nullptr && is_unset(*target)) port.erase("targetPort");
    if (const Tree* number = port.find("port")) {
      const auto same = *number;
      port.set_default("targetPort", same);
    }
  }
}

void default_service(Tree& service) {
  auto& spec = service["spec"];
  static const auto kTimeout = json_tree(R"({"clientIP":{"timeoutSeconds":10800}})");
  static const auto kTwoFamilies = json_tree(R"({"ipFamilyPolicy":"RequireDualStack","ipFamilies":["IPv4","IPv6"]})");
  static const auto kOneFamily =
      json_tree(R"({"internalTrafficPolicy":"Cluster","ipFamilyPolicy":"SingleStack","ipFamilies":["IPv4"]})");
  if (spec.text_at({"sessionAffinity"}).empty()) spec["sessionAffinity"] = "None";
  if (spec.text_at({"type"}).empty()) spec["type"] = "ClusterIP";
  if (spec.text_at({"sessionAffinity"}) == "None") spec.erase("sessionAffinityConfig");
  if (spec.text_at({"sessionAffinity"}) == "ClientIP") {
    set_missing(spec, Tree::object({{"sessionAffinityConfig", kTimeout}}));
  }
  auto type = spec.text_at({"type"});
  if (type == "NodePort" || type == "LoadBalancer") spec.set_default("externalTrafficPolicy", "Cluster");
  if (type == "LoadBalancer") spec.set_default("allocateLoadBalancerNodePorts", true);
  default_service_ports(spec);
  if (type == "ExternalName") return;
  // Endpoints of any family may be added to a Service that has neither an address nor a selector.
  const bool is_open = spec.text_at({"clusterIP"}) == "None" && spec.find("selector") == nullptr;
  if (is_open) set_missing(spec, kTwoFamilies);
  set_missing(spec, kOneFamily);
  if (const Tree* address = spec.find("clusterIP")) {
    auto same = *address;
    spec.set_default("clusterIPs", Tree::array({same}));
  }
}

void default_network_policy(Tree& spec) {
  if (!spec.copy_at({"policyTypes"}).is_empty()) return;
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

void default_limit(Tree& item) {
  if (item.text_at({"type"}) != "Container") return;
  add_missing(item, "default", "max");
  add_missing(item, "defaultRequest", "default");
  add_missing(item, "defaultRequest", "min");
}

void default_namespace(Tree& object) {
  const auto name = object.text_at({"metadata", "name"});
  if (!name.empty()) object["metadata"]["labels"]["kubernetes.io/metadata.name"] = name;
}

// The names of a CRD as the API server completes them; the served kind has these names.
void default_definition(Tree& spec) {
  // As a whole: a conversion without a strategy is rejected.
  spec.set_default("conversion", Tree::object({{"strategy", "None"}}));
  Tree* webhook = spec["conversion"].find("webhook");
  Tree* config = webhook != nullptr ? webhook->find("clientConfig") : nullptr;
  Tree* service = config != nullptr ? config->find("service") : nullptr;
  if (service != nullptr && service->is_object()) service->set_default("port", 443);
  Tree* names = spec.find("names");
  if (names == nullptr) return;
  auto kind = names->text_at({"kind"});
  if (names->text_at({"singular"}).empty()) (*names)["singular"] = base::to_lower(kind);
  if (names->text_at({"listKind"}).empty() && !kind.empty()) (*names)["listKind"] = kind + "List";
}

void default_subject(Tree& subject) {
  auto kind = subject.text_at({"kind"});
  const bool has_group = !subject.text_at({"apiGroup"}).empty();
  if (!has_group && (kind == "User" || kind == "Group")) subject["apiGroup"] = "rbac.authorization.k8s.io";
}

// Texts become data, which replaces data of the same name.
void default_secret(Tree& secret) {
  const auto texts = secret.copy_at({"stringData"});
  for (const auto& [name, text] : texts.members()) secret["data"][name] = base::base64_encode(text.scalar());
  secret.erase("stringData");
}

void default_device_request(Tree& request) {
  const bool counts = request.text_at({"allocationMode"}) == "ExactCount";
  if (counts && request.integer_at({"count"}) == 0) request["count"] = 1;
}

void default_node_status(Tree& status) {
  if (const Tree* capacity = std::as_const(status).find("capacity")) {
    const auto same = *capacity;
    status.set_default("allocatable", same);
  }
}

// podCIDR is the older name of the first of podCIDRs, and decides if they differ.
void default_node_spec(Tree& spec) {
  const auto one = spec.text_at({"podCIDR"});
  const auto& all = std::as_const(spec).items_at({"podCIDRs"});
  const auto first = all.empty() ? std::string() : all.front().scalar();
  if (!one.empty() && one != first) spec["podCIDRs"] = Tree::array({Tree(one)});
  if (one.empty() && !first.empty()) spec["podCIDR"] = first;
}

void default_ingress_point(Tree& point) {
  if (!point.text_at({"ip"}).empty()) point.set_default("ipMode", "VIP");
}

void default_scaling(Tree& behavior) {
  static const auto kRules = json_tree(
      R"({"scaleUp":{"stabilizationWindowSeconds":0,"selectPolicy":"Max","policies":[)"
      R"({"type":"Pods","value":4,"periodSeconds":15},{"type":"Percent","value":100,"periodSeconds":15}]},)"
      R"("scaleDown":{"selectPolicy":"Max","policies":[{"type":"Percent","value":100,"periodSeconds":15}]}})");
  set_missing(behavior, kRules);
}

// The template of a DaemonSet has a number, which Go's type for the storage has as a field and others as an annotation.
void number_template(Tree& object, const Tree* before) {
  constexpr const char* kNumber = "deprecated.daemonset.template.generation";
  std::int64_t number = 1;
  if (before != nullptr) {
    const auto text = before->text_at({"metadata", "annotations", kNumber});
    number = base::parse_number<std::int64_t>(text).value_or(1);
    if (before->copy_at({"spec", "template"}) != object.copy_at({"spec", "template"})) ++number;
  }
  object["metadata"]["annotations"][kNumber] = std::to_string(number);
}

bool has_source(const Tree* claim) {
  return claim != nullptr &&
         (claim->at({"spec", "dataSource"}) != nullptr || claim->at({"spec", "dataSourceRef"}) != nullptr);
}

// dataSource is the older name of dataSourceRef, for claims and snapshots only; each has the value of the other.
void pair_sources(Tree& claim, const Tree* before) {
  Tree* spec = claim.find("spec");
  if (spec == nullptr || !has_source(&claim)) return;
  const Tree* old = spec->find("dataSource");
  const Tree* reference = spec->find("dataSourceRef");
  if (old != nullptr && reference == nullptr) {
    const auto type = old->text_at({"apiGroup"}) + "/" + old->text_at({"kind"});
    const bool is_known = type == "/PersistentVolumeClaim" || type == "snapshot.storage.k8s.io/VolumeSnapshot";
    const auto same = *old;
    if (!is_known && !has_source(before)) return spec->erase("dataSource");
    spec->set_default("dataSourceRef", same);
  } else if (old == nullptr && reference->text_at({"namespace"}).empty()) {
    auto same = *reference;
    same.erase("namespace");
    same.set_default("apiGroup", Tree());
    spec->set_default("dataSource", same);
  }
}

}  // namespace

Completion completion_of(std::string_view definition) {
  static const std::map<std::string_view, Completion> kCompletions{
      {"apps.v1.DaemonSetUpdateStrategy", default_daemon_set_strategy},
      {"apps.v1.DeploymentStrategy", default_deployment_strategy},
      {"apps.v1.StatefulSetSpec", default_stateful_set},
      {"apps.v1.StatefulSetUpdateStrategy", default_stateful_set_strategy},
      {"autoscaling.v2.HorizontalPodAutoscalerBehavior", default_scaling},
      {"batch.v1.Job", default_job},
      {"core.v1.Container", default_container},
      {"core.v1.EphemeralContainer", default_container},
      {"core.v1.LimitRangeItem", default_limit},
      {"core.v1.LoadBalancerIngress", default_ingress_point},
      {"core.v1.Namespace", default_namespace},
      {"core.v1.NodeSpec", default_node_spec},
      {"core.v1.NodeStatus", default_node_status},
      {"core.v1.Pod", default_pod},
      {"core.v1.PodSpec", default_pod_spec},
      {"core.v1.ReplicationController", default_replication_controller},
      {"core.v1.Secret", default_secret},
      {"core.v1.Service", default_service},
      {"core.v1.Volume", default_volume},
      {"networking.v1.NetworkPolicySpec", default_network_policy},
      {"rbac.v1.Subject", default_subject},
      {"resource.v1.DeviceSubRequest", default_device_request},
      {"resource.v1.ExactDeviceRequest", default_device_request},
  };
  constexpr std::string_view kOwn = "io.k8s.api.";
  if (definition.ends_with(".apiextensions.v1.CustomResourceDefinitionSpec")) return default_definition;
  if (!definition.starts_with(kOwn)) return nullptr;
  const auto found = kCompletions.find(definition.substr(kOwn.size()));
  return found == kCompletions.end() ? nullptr : found->second;
}

void complete_write(const kube::Resource& resource, Tree& object, const Tree* before) {
  if (resource == kube::daemon_sets()) number_template(object, before);
  if (resource == kube::persistent_volume_claims()) pair_sources(object, before);
}

}  // namespace keelson::sandbox
