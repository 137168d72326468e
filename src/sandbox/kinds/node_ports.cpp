#include "src/sandbox/kinds/node_ports.hpp"

#include <bitset>
#include <map>
#include <utility>

namespace keelson::sandbox {

namespace {

constexpr std::int64_t kFirstNodePort = 30000;
constexpr std::int64_t kNodePorts = 2768;
using UsedPorts = std::bitset<kNodePorts>;

void add_used(const Tree& service, UsedPorts& used) {
  for (const auto& port : service.items_at({"spec", "ports"})) {
    auto index = port.integer_at({"nodePort"}) - kFirstNodePort;
    if (index >= 0 && index < kNodePorts) used.set(static_cast<std::size_t>(index));
  }
}

bool needs_node_ports(const Tree& service) {
  auto type = service.text_at({"spec", "type"});
  const Tree* allocates = service.at({"spec", "allocateLoadBalancerNodePorts"});
  return type == "NodePort" || (type == "LoadBalancer" && (allocates == nullptr || *allocates == Tree(true)));
}

using NodePorts = std::map<std::pair<std::int64_t, std::string>, std::int64_t>;

std::pair<std::int64_t, std::string> port_and_protocol(const Tree& port) {
  return {port.integer_at({"port"}), port.text_at({"protocol"})};
}

// The node ports that the Service had.
NodePorts former_node_ports(const Tree* before) {
  NodePorts former;
  if (before == nullptr) return former;
  for (const auto& port : before->items_at({"spec", "ports"})) {
    former.try_emplace(port_and_protocol(port), port.integer_at({"nodePort"}));
  }
  return former;
}

}  // namespace

void give_node_ports(const World& world, const Call& call, const Tree* before, Tree& service) {
  if (!needs_node_ports(service)) return;
  const auto former = former_node_ports(before);
  bool lacks = false;
  for (auto& port : service["spec"]["ports"].items()) {
    auto kept = former.find(port_and_protocol(port));
    const bool has_kept = kept != former.end() && kept->second != 0;
    if (port.integer_at({"nodePort"}) == 0 && has_kept) port["nodePort"] = kept->second;
    lacks = lacks || port.integer_at({"nodePort"}) == 0;
  }
  if (!lacks) return;
  UsedPorts used;
  add_used(service, used);
  for (const auto& [key, entry] : world.store.all(*call.kind)) add_used(entry.stored().tree, used);
  auto next = static_cast<std::size_t>(world.store.version() % kNodePorts);
  for (auto& port : service["spec"]["ports"].items()) {
    if (port.integer_at({"nodePort"}) != 0 || used.all()) continue;
    while (used.test(next)) next = (next + 1) % kNodePorts;
    used.set(next);
    port["nodePort"] = kFirstNodePort + static_cast<std::int64_t>(next);
  }
}

}  // namespace keelson::sandbox
