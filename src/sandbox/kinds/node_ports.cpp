#include "src/sandbox/kinds/node_ports.hpp"

#include <algorithm>
#include <bitset>
#include <map>
#include <optional>
#include <set>
#include <string>
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

UsedPorts ports_of_others(const World& world, const Call& call) {
  UsedPorts used;
  for (const auto& [key, entry] : world.store.all(*call.kind)) {
    if (key != call.key) add_used(entry.stored().tree, used);
  }
  return used;
}

// The first of the given ports that the Service did not have and may not have.
std::optional<FieldError> port_error(const UsedPorts& taken, const Tree* before, const Tree& service) {
  std::set<std::int64_t> former;
  if (before != nullptr) {
    for (const auto& port : before->items_at({"spec", "ports"})) former.insert(port.integer_at({"nodePort"}));
  }
  std::size_t place = 0;
  for (const auto& port : service.items_at({"spec", "ports"})) {
    const auto path = "spec.ports[" + std::to_string(place++) + "].nodePort";
    const auto number = port.integer_at({"nodePort"});
    if (number == 0 || former.contains(number)) continue;
    const auto index = number - kFirstNodePort;
    const bool is_in_range = index >= 0 && index < kNodePorts;
    if (is_in_range && !taken.test(static_cast<std::size_t>(index))) continue;
    return FieldError{FieldReason::kInvalid, path, std::to_string(number),
                      is_in_range ? "provided port is already allocated"
                                  : "provided port is not in the valid range. The range of valid ports is 30000-32767"};
  }
  return std::nullopt;
}

bool has_given_port(const Tree& service) {
  return std::ranges::any_of(service.items_at({"spec", "ports"}),
                             [](const Tree& port) { return port.integer_at({"nodePort"}) != 0; });
}

}  // namespace

RejectionOr<void> give_node_ports(const World& world, const Call& call, const Tree* before, Tree& service) {
  const auto type = service.text_at({"spec", "type"});
  const bool may_have_ports = type == "NodePort" || type == "LoadBalancer";
  if (may_have_ports && has_given_port(service)) {
    const auto error = port_error(ports_of_others(world, call), before, service);
    if (error) return invalid_object(call.resource(), call.key.name, {*error});
  }
  if (!needs_node_ports(service)) return {};
  const auto former = former_node_ports(before);
  bool lacks = false;
  for (auto& port : service["spec"]["ports"].items()) {
    auto kept = former.find(port_and_protocol(port));
    const bool has_kept = kept != former.end() && kept->second != 0;
    if (port.integer_at({"nodePort"}) == 0 && has_kept) port["nodePort"] = kept->second;
    lacks = lacks || port.integer_at({"nodePort"}) == 0;
  }
  if (!lacks) return {};
  auto used = ports_of_others(world, call);
  add_used(service, used);
  auto next = static_cast<std::size_t>(world.store.version() % kNodePorts);
  for (auto& port : service["spec"]["ports"].items()) {
    if (port.integer_at({"nodePort"}) != 0 || used.all()) continue;
    while (used.test(next)) next = (next + 1) % kNodePorts;
    used.set(next);
    port["nodePort"] = kFirstNodePort + static_cast<std::int64_t>(next);
  }
  return {};
}

}  // namespace keelson::sandbox
