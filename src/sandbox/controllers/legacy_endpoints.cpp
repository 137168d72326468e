// The Endpoints controller: an Endpoints object for each Service that selects pods.
#include <algorithm>
#include <map>

#include "keelson/schema/identity.hpp"
#include "src/sandbox/controllers/endpoint_parts.hpp"
#include "src/sandbox/controllers/selects.hpp"
#include "src/sandbox/controllers/workloads.hpp"

namespace keelson::sandbox {

namespace {

constexpr std::size_t kMostAddresses = 1000;
constexpr const char* kTriggerTime = "endpoints.kubernetes.io/last-change-trigger-time";
constexpr const char* kOverCapacity = "endpoints.kubernetes.io/over-capacity";

struct Subset {
  Tree ports;
  std::map<std::string, Tree> ready;  // by address
  std::map<std::string, Tree> not_ready;
};

Tree address_of_pod(const Tree& service, const Tree& pod) {
  auto address = Tree::object({{"ip", pod.text_at({"status", "podIP"})}});
  const auto host_name = host_name_in(service, pod);
  if (!host_name.empty()) address["hostname"] = host_name;
  address["nodeName"] = pod.text_at({"spec", "nodeName"});
  address["targetRef"] = reference_to_pod(pod);
  return address;
}

// The addresses of the Service's pods, as subsets by their ports.
std::map<std::string, Subset> subsets_of(const Operations& operations, const Tree& service, std::string_view ns) {
  const bool has_all = service.is_true_at({"spec", "publishNotReadyAddresses"});
  std::map<std::string, Subset> subsets;
  std::size_t count = 0;
  for (const auto& pod : pods_of(operations, service, ns)) {
    const auto ip = pod.tree.text_at({"status", "podIP"});
    if (ip.empty() || is_done(pod.tree) || pod.object.deleting() || ++count > kMostAddresses) continue;
    auto ports = endpoint_ports(service, pod.tree);
    auto& subset = subsets[ports.text()];
    subset.ports = std::move(ports);
    (has_all || is_ready(pod.tree) ? subset.ready : subset.not_ready).emplace(ip, address_of_pod(service, pod.tree));
  }
  return subsets;
}

Tree listed(std::map<std::string, Subset> subsets) {
  auto list = Tree::array();
  for (auto& [text, subset] : subsets) {
    auto one = Tree::object();
    for (auto [name, addresses] :
         {std::pair("addresses", &subset.ready), std::pair("notReadyAddresses", &subset.not_ready)}) {
      for (auto& [ip, address] : *addresses) list_in(one, name).push_back(std::move(address));
    }
    for (auto& port : subset.ports.items()) {
      if (port.text_at({"name"}).empty()) port.erase("name");
    }
    set_or_erase(one, "ports", subset.ports);
    list.items().push_back(std::move(one));
  }
  return list;
}

bool is_over_capacity(const Tree& subsets) {
  std::size_t count = 0;
  for (const auto& subset : subsets.items()) {
    for (const char* name : {"addresses", "notReadyAddresses"}) count += subset.items_at({name}).size();
  }
  return count >= kMostAddresses;
}

}  // namespace

void sync_endpoints(Sync& service) {
  auto& operations = service.operations;
  const auto key = service.object.key();
  auto subsets = listed(subsets_of(operations, service.tree, key.ns));
  const Tree* former = operations.tree(kube::endpoints(), key);
  const Tree* had = former != nullptr ? former->find("subsets") : nullptr;
  auto labels = endpoint_labels(service.tree);
  labels["endpoints.kubernetes.io/managed-by"] = "endpoint-controller";
  const Tree* had_labels = former != nullptr ? former->at({"metadata", "labels"}) : nullptr;
  const bool is_same =
      had_labels != nullptr && *had_labels == labels && (had != nullptr ? *had == subsets : subsets.is_empty());
  if (is_same) return;
  auto next = former != nullptr ? *former : Tree::object({{"metadata", Tree::object({{"name", key.name}})}});
  next["metadata"]["labels"] = std::move(labels);
  next["metadata"]["annotations"][kTriggerTime] = operations.world.time_text();
  next["metadata"]["annotations"].erase(kOverCapacity);
  if (is_over_capacity(subsets)) next["metadata"]["annotations"][kOverCapacity] = "truncated";
  set_or_erase(next, "subsets", std::move(subsets));
  if (former != nullptr) {
    operations.write(kube::endpoints(), key, std::move(next));
    return;
  }
  operations.create(kube::endpoints(), key.ns, std::move(next));
}

}  // namespace keelson::sandbox
