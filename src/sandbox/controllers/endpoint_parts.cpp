#include "src/sandbox/controllers/endpoint_parts.hpp"

#include <optional>

namespace keelson::sandbox {

namespace {

// Resolves a target port, which is a number or the name of a container's port; nullopt if no container has the name.
std::optional<std::int64_t> port_of(const Tree& service_port, const Tree& pod) {
  const Tree* target = service_port.find("targetPort");
  if (target == nullptr) return service_port.integer_at({"port"});
  if (!target->is_string()) return service_port.integer_at({"targetPort"});
  auto protocol = service_port.text_at({"protocol"});
  for (const auto& container : pod.items_at({"spec", "containers"})) {
    for (const auto& port : container.items_at({"ports"})) {
      auto own = port.text_at({"protocol"});
      bool fits = port.text_at({"name"}) == target->scalar() &&
                  (own.empty() ? "TCP" : own) == (protocol.empty() ? "TCP" : protocol);
      if (fits) return port.integer_at({"containerPort"});
    }
  }
  return std::nullopt;
}

}  // namespace

Tree endpoint_ports(const Tree& service, const Tree& pod) {
  auto ports = Tree::array();
  for (const auto& service_port : service.items_at({"spec", "ports"})) {
    auto number = port_of(service_port, pod);
    if (!number) continue;
    auto protocol = service_port.text_at({"protocol"});
    auto port = Tree::object({{"name", service_port.text_at({"name"})},
                              {"port", *number},
                              {"protocol", protocol.empty() ? "TCP" : protocol}});
    if (const Tree* app = service_port.find("appProtocol")) port["appProtocol"] = *app;
    ports.items().push_back(std::move(port));
  }
  return ports;
}

std::string host_name_in(const Tree& service, const Tree& pod) {
  const bool is_in_domain = pod.text_at({"spec", "subdomain"}) == service.text_at({"metadata", "name"});
  return is_in_domain ? pod.text_at({"spec", "hostname"}) : std::string();
}

Tree reference_to_pod(const Tree& pod) {
  auto reference = Tree::object({{"kind", "Pod"}});
  for (const char* name : {"namespace", "name", "uid"}) reference[name] = pod.text_at({"metadata", name});
  return reference;
}

Tree endpoint_labels(const Tree& service) {
  auto labels = service.copy_at({"metadata", "labels"});
  if (service.text_at({"spec", "clusterIP"}) == "None") labels["service.kubernetes.io/headless"] = "";
  return labels;
}

}  // namespace keelson::sandbox
