#include "src/sandbox/node_ports.hpp"

#include <bitset>

namespace keelson::sandbox {

namespace {

constexpr std::int64_t kFirstNodePort = 30000;
constexpr std::int64_t kNodePorts = 2768;
using UsedPorts = std::bitset<kNodePorts>;

const std::vector<Tree>& service_ports(const Tree& service) {
  static const std::vector<Tree> kNone;
  const Tree* ports = service.at({"spec", "ports"});
  return ports != nullptr ? ports->items() : kNone;
}

void add_used(const Tree& service, UsedPorts& used) {
  for (const auto& port : service_ports(service)) {
    auto index = port.integer_at({"nodePort"}) - kFirstNodePort;
    if (index >= 0 && index < kNodePorts) used.set(static_cast<std::size_t>(index));
  }
}

bool needs_node_ports(const Tree& service) {
  auto type = service.text_at({"spec", "type"});
  const Tree* allocates = service.at({"spec", "allocateLoadBalancerNodePorts"});
  return type == "NodePort" || (type == "LoadBalancer" && (allocates == nullptr || *allocates == Tree(true)));
}

// The one that the same port of the Service had; 0: none.
std::int64_t former(const Tree* before, const Tree& port) {
  if (before == nullptr) return 0;
  for (const auto& one : service_ports(*before)) {
    bool is_same = one.integer_at({"port"}) == port.integer_at({"port"}) &&
                   one.text_at({"protocol"}) == port.text_at({"protocol"});
    if (is_same) return one.integer_at({"nodePort"});
  }
  return 0;
}

}  // namespace

void give_node_ports(const World& world, const Call& call, const Tree* before, Tree& service) {
  if (!needs_node_ports(service)) return;
  bool lacks = false;
  for (auto& port : service["spec"]["ports"].items()) {
    auto kept = former(before, port);
    if (port.integer_at({"nodePort"}) == 0 && kept != 0) port["nodePort"] = kept;
    lacks = lacks || port.integer_at({"nodePort"}) == 0;
  }
  if (!lacks) return;
  UsedPorts used;
  add_used(service, used);
  for (const auto& [key, entry] : world.store.all(*call.kind)) add_used(entry.stored.tree, used);
  auto next = static_cast<std::size_t>(world.store.version() % kNodePorts);
  for (auto& port : service["spec"]["ports"].items()) {
    if (port.integer_at({"nodePort"}) != 0 || used.all()) continue;
    while (used.test(next)) next = (next + 1) % kNodePorts;
    used.set(next);
    port["nodePort"] = kFirstNodePort + static_cast<std::int64_t>(next);
  }
}

}  // namespace keelson::sandbox
