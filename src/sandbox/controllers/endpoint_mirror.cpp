// The EndpointSlice mirroring controller: slices with the addresses of Endpoints whose Service selects no pods.
#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "keelson/schema/identity.hpp"
#include "src/sandbox/controllers/endpoint_parts.hpp"
#include "src/sandbox/controllers/workloads.hpp"

namespace keelson::sandbox {

namespace {

constexpr std::size_t kMostMirrored = 1000;  // addresses of a subset

struct MirroredSlice {
  std::string address_type;
  Tree ports;
  Tree endpoints = Tree::array();
};
// By address type and ports.
using MirroredSlices = std::map<std::string, MirroredSlice>;

Tree mirrored_ports(const Tree& subset) {
  auto ports = Tree::array();
  for (const auto& port : subset.items_at({"ports"})) {
    const auto protocol = port.text_at({"protocol"});
    auto mirrored = Tree::object({{"name", port.text_at({"name"})},
                                  {"port", port.integer_at({"port"})},
                                  {"protocol", protocol.empty() ? "TCP" : protocol}});
    if (const Tree* app = port.find("appProtocol")) mirrored["appProtocol"] = *app;
    ports.items().push_back(std::move(mirrored));
  }
  std::ranges::sort(ports.items(), {}, [](const Tree& port) {
    return std::tuple(port.text_at({"name"}), port.text_at({"protocol"}), port.integer_at({"port"}));
  });
  return ports;
}

Tree mirrored_endpoint(const Tree& address, bool is_ready) {
  auto endpoint = Tree::object(
      {{"addresses", Tree::array({address.text_at({"ip"})})}, {"conditions", Tree::object({{"ready", is_ready}})}});
  for (const char* name : {"hostname", "targetRef", "nodeName"}) {
    if (const Tree* value = address.find(name)) endpoint[name] = *value;
  }
  return endpoint;
}

void mirror_subset(const Tree& subset, MirroredSlices& slices) {
  const auto ports = mirrored_ports(subset);
  std::size_t left = kMostMirrored;
  for (const auto& [list, is_ready] : {std::pair("addresses", true), std::pair("notReadyAddresses", false)}) {
    for (const auto& address : subset.items_at({list})) {
      if (left == 0) return;
      --left;
      const bool is_v6 = address.text_at({"ip"}).find(':') != std::string::npos;
      const std::string type = is_v6 ? "IPv6" : "IPv4";
      auto& slice = slices[type + ports.text()];
      slice.address_type = type;
      slice.ports = ports;
      slice.endpoints.items().push_back(mirrored_endpoint(address, is_ready));
    }
  }
}

// A sync of Endpoints with the slices that mirror them.
class EndpointMirrorSync : public Sync {
 public:
  explicit EndpointMirrorSync(const Sync& sync) : Sync(sync) {}

  void run() {
    auto slices = mirrored_slices();
    std::vector<StoredObject> unused;
    for (auto& slice : owned(kube::endpoint_slices())) {
      const auto place = slices.find(slice.tree.text_at({"addressType"}) + slice.tree.copy_at({"ports"}).text());
      if (place == slices.end()) {
        unused.push_back(std::move(slice));
        continue;
      }
      update(slice, std::move(place->second));
      slices.erase(place);
    }
    for (auto& [key, slice] : slices) place(std::move(slice), unused);
    for (const auto& slice : unused) operations.remove(kube::endpoint_slices(), slice.object.key());
  }

 private:
  [[nodiscard]] MirroredSlices mirrored_slices() const {
    MirroredSlices slices;
    if (!is_mirrored()) return slices;
    for (const auto& subset : tree.items_at({"subsets"})) mirror_subset(subset, slices);
    return slices;
  }

  [[nodiscard]] bool is_mirrored() const {
    const Tree* service = operations.tree(kube::services(), object.key());
    return service != nullptr && service->members_at({"spec", "selector"}).empty() &&
           object.label("endpointslice.kubernetes.io/skip-mirror") != "true" &&
           !object.annotation("control-plane.alpha.kubernetes.io/leader");
  }

  void complete(Tree& slice, MirroredSlice mirrored) const {
    auto labels = tree.copy_at({"metadata", "labels"});
    labels[kSliceManager] = kMirrorManager;
    labels[kSliceService] = object.name();
    auto annotations = tree.copy_at({"metadata", "annotations"});
    annotations.erase("endpoints.kubernetes.io/last-change-trigger-time");
    annotations.erase("kubectl.kubernetes.io/last-applied-configuration");
    slice["metadata"]["labels"] = std::move(labels);
    set_or_erase(slice["metadata"], "annotations", std::move(annotations));
    slice["endpoints"] = std::move(mirrored.endpoints);
    slice["ports"] = std::move(mirrored.ports);
  }

  void update(const StoredObject& slice, MirroredSlice mirrored) {
    auto next = slice.tree;
    complete(next, std::move(mirrored));
    operations.write(kube::endpoint_slices(), slice.object.key(), std::move(next));
  }

  // Into an unused slice of the same address type, or else into a new one.
  void place(MirroredSlice mirrored, std::vector<StoredObject>& unused) {
    const auto found = std::ranges::find_if(unused, [&mirrored](const StoredObject& slice) {
      return slice.tree.text_at({"addressType"}) == mirrored.address_type;
    });
    if (found == unused.end()) return create(std::move(mirrored));
    update(*found, std::move(mirrored));
    unused.erase(found);
  }

  void create(MirroredSlice mirrored) {
    const auto prefix = name() + "-";
    auto metadata = Tree::object({{"name", prefix + operations.world.random_suffix()},
                                  {"generateName", prefix},
                                  {"ownerReferences", as_owner()}});
    auto slice = Tree::object({{"metadata", std::move(metadata)}, {"addressType", mirrored.address_type}});
    complete(slice, std::move(mirrored));
    operations.create(kube::endpoint_slices(), std::string(object.ns()), std::move(slice));
  }
};

}  // namespace

void sync_endpoint_mirror(Sync& endpoints) {
  if (!endpoints.object.deleting()) EndpointMirrorSync(endpoints).run();
}

}  // namespace keelson::sandbox
