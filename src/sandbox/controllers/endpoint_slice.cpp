// The EndpointSlice controller: the addresses of a Service's pods, in slices of at most 100.
#include <algorithm>
#include <map>

#include "keelson/schema/identity.hpp"
#include "src/sandbox/controllers/endpoint_parts.hpp"
#include "src/sandbox/controllers/selects.hpp"
#include "src/sandbox/controllers/workloads.hpp"

namespace keelson::sandbox {

namespace {

constexpr std::size_t kMostEndpoints = 100;

using ByUid = std::map<std::string, Tree, std::less<>>;

std::string zone_of(const Operations& operations, const std::string& node) {
  const Tree* found = operations.tree(kube::nodes(), kube::Key("", node));
  return found != nullptr ? found->text_at({"metadata", "labels", "topology.kubernetes.io/zone"}) : "";
}

Tree endpoint_of(const Operations& operations, const Tree& service, const Tree& pod) {
  bool serves = is_ready(pod);
  bool ends = pod.at({"metadata", "deletionTimestamp"}) != nullptr;
  bool is_shown_ready = service.is_true_at({"spec", "publishNotReadyAddresses"}) || (serves && !ends);
  auto endpoint = Tree::object(
      {{"addresses", Tree::array({pod.text_at({"status", "podIP"})})},
       {"conditions", Tree::object({{"ready", is_shown_ready}, {"serving", serves}, {"terminating", ends}})}});
  const auto host_name = host_name_in(service, pod);
  if (!host_name.empty()) endpoint["hostname"] = host_name;
  endpoint["targetRef"] = reference_to_pod(pod);
  auto node = pod.text_at({"spec", "nodeName"});
  endpoint["nodeName"] = node;
  auto zone = zone_of(operations, node);
  if (!zone.empty()) endpoint["zone"] = zone;
  return endpoint;
}

// A sync of a Service with its slices.
class EndpointSliceSync : public Sync {
 public:
  explicit EndpointSliceSync(const Sync& sync) : Sync(sync) {}

  void run() {
    auto groups = endpoints();
    std::size_t kept = 0;
    std::vector<kube::Key> unused;
    for (const auto& slice : slices()) {
      auto endpoints = retained(slice, groups);
      if (endpoints.items().empty()) {
        unused.push_back(slice.object.key());
        continue;
      }
      auto ports = Tree::array(slice.tree.items_at({"ports"}));
      update(slice.object.key(), std::move(endpoints), std::move(ports));
      ++kept;
    }
    for (auto& [text, group] : groups) {
      while (!group.endpoints.empty()) {
        auto endpoints = Tree::array();
        fill(endpoints, group.endpoints);
        place(std::move(endpoints), group.ports, unused);
        ++kept;
      }
    }
    // A Service without pods has a single slice without endpoints.
    if (kept == 0) place(Tree(), Tree(), unused);
    for (const auto& key : unused) operations.remove(kube::endpoint_slices(), key);
  }

 private:
  struct Group {
    Tree ports;
    ByUid endpoints;
  };
  using Groups = std::map<std::string, Group, std::less<>>;

  // Endpoints grouped by their ports, because a named port may have different numbers in different pods.
  [[nodiscard]] Groups endpoints() const {
    Groups groups;
    for (const auto& pod : pods_of(operations, tree, object.ns())) {
      if (pod.tree.text_at({"status", "podIP"}).empty() || is_done(pod.tree)) continue;
      auto ports = endpoint_ports(tree, pod.tree);
      auto& group = groups[ports.text()];
      group.ports = std::move(ports);
      group.endpoints.emplace(std::string(pod.object.uid()), endpoint_of(operations, tree, pod.tree));
    }
    return groups;
  }

  [[nodiscard]] std::vector<StoredObject> slices() const {
    auto found = owned(kube::endpoint_slices());
    std::erase_if(found, [](const StoredObject& one) {
      return one.object.deleting() || one.object.label(kSliceManager) != kPodSliceManager;
    });
    std::ranges::sort(found, {}, [](const StoredObject& one) { return one.object.name(); });
    return found;
  }

  // The endpoints that stay in this slice, in their current state, and as many others as fit; they are removed from the
  // group.
  static Tree retained(const StoredObject& slice, Groups& groups) {
    auto endpoints = Tree::array();
    const Tree* ports = slice.tree.find("ports");
    auto group = groups.find(ports != nullptr ? ports->text() : "[]");
    if (group == groups.end()) return endpoints;
    for (const auto& one : slice.tree.items_at({"endpoints"})) {
      auto desired = group->second.endpoints.find(one.text_at({"targetRef", "uid"}));
      if (desired == group->second.endpoints.end()) continue;
      endpoints.items().push_back(std::move(desired->second));
      group->second.endpoints.erase(desired);
    }
    if (!endpoints.items().empty()) fill(endpoints, group->second.endpoints);
    return endpoints;
  }

  static void fill(Tree& endpoints, ByUid& from) {
    while (!from.empty() && endpoints.items().size() < kMostEndpoints) {
      endpoints.items().push_back(std::move(from.begin()->second));
      from.erase(from.begin());
    }
  }

  // Writes the endpoints into an empty slice, or else into a new one.
  void place(Tree endpoints, const Tree& ports, std::vector<kube::Key>& unused) {
    if (unused.empty()) return create(std::move(endpoints), ports);
    auto key = unused.back();
    unused.pop_back();
    update(key, std::move(endpoints), ports);
  }

  [[nodiscard]] Tree labels() const {
    auto labels = endpoint_labels(tree);
    labels[kSliceManager] = kPodSliceManager;
    labels[kSliceService] = object.name();
    return labels;
  }

  void update(const kube::Key& key, Tree endpoints, Tree ports) {
    auto next = *operations.tree(kube::endpoint_slices(), key);
    next["metadata"]["labels"] = labels();
    next["endpoints"] = std::move(endpoints);
    next["ports"] = std::move(ports);
    operations.write(kube::endpoint_slices(), key, std::move(next));
  }

  void create(Tree endpoints, Tree ports) {
    const auto prefix = name() + "-";
    auto metadata = Tree::object({{"name", prefix + operations.world.random_suffix()},
                                  {"generateName", prefix},
                                  {"labels", labels()},
                                  {"ownerReferences", as_owner()}});
    operations.create(kube::endpoint_slices(), std::string(object.ns()),
                      Tree::object({{"metadata", metadata},
                                    {"addressType", "IPv4"},
                                    {"endpoints", std::move(endpoints)},
                                    {"ports", std::move(ports)}}));
  }
};

}  // namespace

void sync_service(Sync& sync) {
  const bool selects_pods = !sync.tree.members_at({"spec", "selector"}).empty();
  if (sync.object.deleting() || !selects_pods || sync.tree.text_at({"spec", "type"}) == "ExternalName") return;
  EndpointSliceSync(sync).run();
  if (sync.operations.recorder() != nullptr) sync_endpoints(sync);
}

}  // namespace keelson::sandbox
