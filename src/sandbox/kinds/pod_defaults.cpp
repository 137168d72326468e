#include "src/sandbox/kinds/pod_defaults.hpp"

namespace keelson::sandbox {

namespace {

constexpr int kVolumeMode = 0644;

void default_handler(Tree& handler) {
  if (Tree* http = handler.find("httpGet")) {
    http->set_default("path", "/");
    http->set_default("scheme", "HTTP");
  }
  if (Tree* grpc = handler.find("grpc")) grpc->set_default("service", "");
}

void default_probe(Tree& probe) {
  default_handler(probe);
  probe.set_default("timeoutSeconds", 1);
  probe.set_default("periodSeconds", 10);
  probe.set_default("successThreshold", 1);
  probe.set_default("failureThreshold", 3);
}

void default_field_reference(Tree* holder) {
  if (holder == nullptr) return;
  if (Tree* reference = holder->find("fieldRef")) reference->set_default("apiVersion", "v1");
  if (Tree* reference = holder->find("resourceFieldRef")) reference->set_default("divisor", "0");
}

void default_container(Tree& container) {
  auto image = container.text_at({"image"});
  const bool is_latest = image.find(':') == std::string::npos || image.ends_with(":latest");
  container.set_default("imagePullPolicy", is_latest ? "Always" : "IfNotPresent");
  container.set_default("terminationMessagePath", "/dev/termination-log");
  container.set_default("terminationMessagePolicy", "File");
  container.set_default("resources", Tree::object());
  for (auto& port : container.items_of("ports")) default_container_port(port);
  for (const char* name : {"livenessProbe", "readinessProbe", "startupProbe"}) {
    if (Tree* probe = container.find(name)) default_probe(*probe);
  }
  if (Tree* lifecycle = container.find("lifecycle")) {
    for (auto& [name, handler] : lifecycle->members()) default_handler(handler);
  }
  for (auto& variable : container.items_of("env")) default_field_reference(variable.find("valueFrom"));
}

void default_items(Tree& source) {
  for (auto& item : source.items_of("items")) default_field_reference(&item);
}

void default_projection(Tree& projected) {
  for (auto& source : projected.items_of("sources")) {
    if (Tree* token = source.find("serviceAccountToken")) token->set_default("expirationSeconds", 3600);
    if (Tree* fields = source.find("downwardAPI")) default_items(*fields);
  }
}

void default_ephemeral(Tree& ephemeral) {
  Tree* claim = ephemeral.find("volumeClaimTemplate");
  if (claim == nullptr) return;
  claim->set_default("metadata", Tree::object());
  if (Tree* spec = claim->find("spec")) default_claim(*spec);
}

void default_volume(Tree& volume) {
  // A volume without a source is an emptyDir.
  if (volume.members().size() == 1 && volume.find("name") != nullptr) volume["emptyDir"] = Tree::object();
  for (const char* name : {"secret", "configMap", "downwardAPI", "projected"}) {
    Tree* source = volume.find(name);
    if (source == nullptr) continue;
    source->set_default("defaultMode", kVolumeMode);
    default_items(*source);
    default_projection(*source);
  }
  if (Tree* path = volume.find("hostPath")) path->set_default("type", "");
  if (Tree* ephemeral = volume.find("ephemeral")) default_ephemeral(*ephemeral);
}

// The request of a resource defaults to its limit.
void default_requests(Tree& container) {
  Tree* resources = container.find("resources");
  const Tree* found = resources != nullptr ? resources->find("limits") : nullptr;
  if (found == nullptr) return;
  const auto limits = *found;
  resources->set_default("requests", Tree::object());
  for (const auto& [name, limit] : limits.members()) (*resources)["requests"].set_default(name, limit);
}

bool names_all(const Tree* resources) {
  return resources != nullptr && resources->find("cpu") != nullptr && resources->find("memory") != nullptr;
}

bool names_any(const Tree* resources) {
  return resources != nullptr && (resources->find("cpu") != nullptr || resources->find("memory") != nullptr);
}

}  // namespace

void default_claim(Tree& spec) { spec.set_default("volumeMode", "Filesystem"); }

void default_container_port(Tree& port) { port.set_default("protocol", "TCP"); }

void default_pod_spec(Tree& spec) {
  for (const char* list : {"containers", "initContainers"}) {
    for (auto& container : spec.items_of(list)) default_container(container);
  }
  for (auto& volume : spec.items_of("volumes")) default_volume(volume);
  spec.set_default("restartPolicy", "Always");
  spec.set_default("terminationGracePeriodSeconds", 30);
  spec.set_default("dnsPolicy", "ClusterFirst");
  spec.set_default("securityContext", Tree::object());
  spec.set_default("schedulerName", "default-scheduler");
  // serviceAccount is the deprecated name of the same field.
  if (auto account = spec.text_at({"serviceAccountName"}); !account.empty()) {
    spec["serviceAccount"] = account;
  } else if (auto old = spec.text_at({"serviceAccount"}); !old.empty()) {
    spec["serviceAccountName"] = old;
  }
}

void default_pod(Tree& spec) {
  default_pod_spec(spec);
  spec.set_default("enableServiceLinks", true);
  for (const char* list : {"containers", "initContainers"}) {
    for (auto& container : spec.items_of(list)) default_requests(container);
  }
}

std::string qos_class(const Tree& spec) {
  bool has_any = false;
  bool is_guaranteed = true;
  for (const char* list : {"containers", "initContainers"}) {
    for (const auto& container : spec.items_at({list})) {
      const Tree* limits = container.at({"resources", "limits"});
      const Tree* requests = container.at({"resources", "requests"});
      has_any = has_any || names_any(limits) || names_any(requests);
      const bool is_bound = names_all(limits) && (requests == nullptr || *requests == *limits);
      is_guaranteed = is_guaranteed && is_bound;
    }
  }
  if (!has_any) return "BestEffort";
  return is_guaranteed ? "Guaranteed" : "Burstable";
}

}  // namespace keelson::sandbox
