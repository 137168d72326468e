// The recipes of docs/cookbook.md in one operator: a Shop is a StatefulSet of tills on the nodes of its zone.
#include <algorithm>

#include "keelson/api/apps/v1/stateful_set.hpp"
#include "keelson/controller/stateful_set_rollout.hpp"
#include "keelson/operator.hpp"

using namespace keelson;
using namespace std::chrono_literals;
using apps::v1::StatefulSet;

namespace {

constexpr const char* kZone = "topology.kubernetes.io/zone";

struct ShopSpec {
  std::string owner;
  std::string zone;
  std::int32_t tills = 1;
};
void describe(kube::Description& d, ShopSpec& spec) {
  d.field("owner", spec.owner, "The owner of the shop.").required().min_length(1);
  d.field("zone", spec.zone, "The zone of the nodes.").required();
  d.field("tills", spec.tills, "Number of tills.").minimum(0).default_value("1");
}

// [scale]
struct ShopStatus {
  std::int32_t replicas = 0;
  std::string selector;
  std::int64_t observed_generation = 0;
  std::vector<kube::Condition> conditions;
};
void describe(kube::Description& d, ShopStatus& status) {
  d.field("replicas", status.replicas, "Number of tills, for the scale subresource.");
  d.field("selector", status.selector, "Label selector of the tills, for the scale subresource.");
  d.field("observedGeneration", status.observed_generation, "Generation of the spec that this status is about.");
  d.field("conditions", status.conditions, "Ready; Reconciling and Stalled while they hold.").list_map({"type"});
}

struct Shop : CustomResource<ShopSpec, ShopStatus> {
  static constexpr kube::Identity kIdentity{"shop.example.com", "v1", "Shop"};
  static void describe_kind(kube::Kind& kind) {
    kind.has_scale = true;
    kind.scale = {".spec.tills", ".status.replicas", ".status.selector"};
  }
};
// [end]

// [projection]
// This operator reads only the metadata of a Node and whether Pods may be scheduled on it. With kIsPartial the cache
// stores no other fields.
struct NodeSpec {
  bool unschedulable = false;
};
void describe(kube::Description& d, NodeSpec& spec) { d.field("unschedulable", spec.unschedulable, "It is cordoned."); }

struct Node {
  static constexpr kube::Identity kIdentity{"", "v1", "Node", "nodes", kube::Scope::kCluster};
  static constexpr bool kIsPartial = true;
  meta::v1::ObjectMeta metadata;
  NodeSpec spec;
};
void describe(kube::Description& d, Node& node) {
  d.field("metadata", node.metadata, "");
  d.field("spec", node.spec, "");
}
// [end]

StatefulSet tills_of(const Shop& shop, const std::string& image) {
  const std::map<std::string, std::string> labels{{"app", "shop"}, {"shop", shop.name()}};
  return {.metadata = {.name = shop.name()},
          .spec = {.replicas = shop.spec.tills,
                   .selector = {.match_labels = labels},
                   .pod_template = {.metadata = {.labels = labels},
                                    .spec = {.containers = {{.name = "till", .image = image}},
                                             .node_selector = {{kZone, shop.spec.zone}}}},
                   .service_name = shop.name()}};
}

// [flag]
class ShopReconciler {
 public:
  explicit ShopReconciler(controller::Context& context)
      : image_(context.flag<std::string>("till-image")),
        grace_(context.flag<std::chrono::nanoseconds>("closing-time")),
        tills_(context.registry.gauge("shop_tills", "Tills that are ready.", {"namespace", "name"})) {}

  [[nodiscard]] Reconciled reconcile(const Shop& shop, Pass<Shop>& pass);
  void forget(const kube::Key& shop) { tills_.remove({shop.ns, shop.name}); }

 private:
  std::string image_;
  std::chrono::nanoseconds grace_;
  metrics::GaugeFamily& tills_;
};
// [end]

Reconciled ShopReconciler::reconcile(const Shop& shop, Pass<Shop>& pass) {
  // [read-index]
  KEELSON_CO_LET(const auto shops, pass.by_index<Shop>("owner", shop.spec.owner));
  if (shops.size() > 10) {
    pass.stalled("TooManyShops", shop.spec.owner + " has " + std::to_string(shops.size()) + " shops; the limit is 10.");
    co_return done();
  }
  // [end]
  KEELSON_CO_LET(const auto nodes, pass.by_index<Node>("zone", shop.spec.zone));
  if (std::ranges::all_of(nodes, [](const Node& node) { return node.spec.unschedulable; })) {
    // [event]
    pass.warning("NoNode", "Zone " + shop.spec.zone + " has no node for Pods.");
    pass.reconciling("NoNode", "Zone " + shop.spec.zone + " has no node for Pods.");
    co_return requeue_after(grace_);
    // [end]
  }
  // [stateful-set]
  KEELSON_CO_LET(const auto tills, co_await pass.apply(tills_of(shop, image_)));
  const auto rollout = controller::rollout_of(tills);
  pass.status().replicas = tills.status.replicas;
  pass.status().selector = "app=shop,shop=" + shop.name();
  tills_.with({shop.ns(), shop.name()}).set(rollout.ready_replicas);
  if (rollout.is_complete()) {
    pass.ready("Open", "All tills are ready.");
  } else {
    pass.reconciling("RollingOut", rollout.waits_for);
  }
  co_return done();
  // [end]
}

// [index]
std::vector<std::string> owner_of(const Shop& shop) { return {shop.spec.owner}; }
// [end]
// [watch]
std::vector<std::string> zone_of_node(const kube::Object& node) {
  return {std::string(node.label(kZone).value_or(""))};
}
std::vector<std::string> zone_of_shop(const Shop& shop) { return {shop.spec.zone}; }

// The controller calls this function with the old and the new Node. It reads the cache and never waits.
std::vector<kube::Key> shops_in_zone(const kube::Object& node, cache::Cache& cache) {
  std::vector<kube::Key> keys;
  const auto shops = cache.find(kube::resource_of<Shop>());
  if (!shops) return keys;
  for (const auto& shop : (*shops)->by_index("zone", node.label(kZone).value_or(""))) keys.push_back(shop.key());
  return keys;
}
// [end]

// [definition]
controller::Definition shop() {
  const controller::WatchOptions nodes{.indexes = {{"zone", zone_of_node}}};
  return controller_for<Shop, ShopReconciler>()
      .owns<StatefulSet>()
      .watches<Node>(shops_in_zone, nodes)
      .indexed_by("owner", owner_of)
      .indexed_by("zone", zone_of_shop)
      .flag<std::string>("till-image", "registry.example.com/till:1", "The image of the tills.")
      .flag<std::chrono::nanoseconds>("closing-time", 30s, "Delay before a shop without nodes is reconciled again.");
}
// [end]

}  // namespace

int main(int argc, char** argv) { return run("shop", argc, argv, {shop()}); }
