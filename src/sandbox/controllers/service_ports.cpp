#include "src/sandbox/controllers/service_ports.hpp"

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

}  // namespace keelson::sandbox
