// Reconciles a Memcached: its Deployment, its Service, and which of its pods are nodes.
#include <algorithm>

#include "keelson/api/apps/v1/replica_set.hpp"
#include "keelson/api/core/v1/pod.hpp"
#include "keelson/controller/controller_for.hpp"
#include "keelson/controller/rollout.hpp"
#include "src/controllers/memcached/memcached.hpp"

namespace keelson::controllers {

namespace {

constexpr const char* kDefaultImage = "memcached:1.6-alpine";
const controller::Rollout kNoRollout{.waits_for = "there is no Deployment yet"};

std::string image_of(const Memcached& memcached, const Pass<Memcached>& pass) {
  if (memcached.spec.image) return *memcached.spec.image;
  const auto image = pass.environment("MEMCACHED_IMAGE");
  return image.empty() ? kDefaultImage : image;
}

bool is_node(const core::v1::Pod& pod) {
  const auto& phase = pod.status.phase;
  return !pod.metadata.deletion_timestamp && phase != "Failed" && phase != "Succeeded";
}

bool is_ready(const core::v1::Pod& pod) {
  return std::ranges::any_of(pod.status.conditions, [](const auto& condition) {
    return condition.type == "Ready" && condition.status == "True";
  });
}

// Owner references tell which pods are nodes: any user can put our labels on a pod.
Result<void> set_nodes(const std::optional<apps::v1::Deployment>& deployment, Pass<Memcached>& pass) {
  std::vector<std::string> nodes;
  std::int32_t ready_nodes = 0;
  std::vector<apps::v1::ReplicaSet> replica_sets;
  if (deployment) {
    KEELSON_LET(replica_sets, pass.children_of<apps::v1::ReplicaSet>(*deployment));
  }
  for (const auto& replica_set : replica_sets) {
    KEELSON_LET(const auto pods, pass.children_of<core::v1::Pod>(replica_set));
    for (const auto& pod : pods) {
      if (!is_node(pod)) continue;
      nodes.push_back(pod.metadata.name);
      if (is_ready(pod)) ++ready_nodes;
    }
  }
  std::ranges::sort(nodes);
  auto& status = pass.status();
  status.replicas = static_cast<std::int32_t>(nodes.size());
  status.nodes = std::move(nodes);
  status.ready_nodes = ready_nodes;
  return {};
}

void set_conditions(int size, const controller::Rollout& rollout, Pass<Memcached>& pass) {
  const auto& status = pass.status();
  const auto count = std::to_string(status.ready_nodes) + " of " + std::to_string(size) + " nodes are ready.";
  const bool is_complete = status.replicas == size && status.ready_nodes == size && rollout.is_complete();
  const bool is_available = size == 0 || status.ready_nodes > 0;
  pass.condition("Available", is_available, is_available ? "NodesAvailable" : "NoNodeReady", count);

  const auto& problem = pass.problem();
  const bool is_degraded = problem ? problem->readiness == kube::Readiness::kStalled : !rollout.failure.empty();
  if (is_degraded) {
    const auto reason = problem ? problem->reason : "DeploymentFailed";
    const auto message = problem ? problem->message : rollout.failure;
    pass.condition("Degraded", true, reason, message);
    pass.condition("Progressing", false, is_complete ? "Complete" : "Stopped", count);
    pass.stalled(reason, message);
    return;
  }
  pass.condition("Degraded", false, "AsExpected", "Nothing is wrong.");
  pass.condition("Progressing", !is_complete, is_complete ? "Complete" : "RollingOut", count);
  if (is_complete) {
    pass.ready("AllNodesReady", count);
  } else {
    pass.reconciling("RollingOut", count);
  }
}

// An error of one child neither keeps the other from being applied nor the status from being complete.
Reconciled reconcile(const Memcached& memcached, Pass<Memcached>& pass) {
  pass.log.debug("Reconciling Memcached.");
  const auto applied = co_await pass.apply(deployment_of(memcached, image_of(memcached, pass)));
  const auto service = co_await pass.apply(service_of(memcached));
  if (!applied && !pass.problem()) co_return applied.error();

  const auto labels = pod_labels(memcached);
  pass.status().selector = kube::Selector::equals({labels.begin(), labels.end()}).text();
  KEELSON_CO_LET(const auto deployment, pass.child<apps::v1::Deployment>(memcached.name()));
  KEELSON_CO_TRY(set_nodes(deployment, pass));
  set_conditions(memcached.spec.size, deployment ? controller::rollout_of(*deployment) : kNoRollout, pass);
  KEELSON_CO_TRY(applied);
  KEELSON_CO_TRY(service);
  co_return done();
}

}  // namespace

controller::Definition memcached() {
  const auto owner = kube::resource_of<Memcached>();
  const controller::WatchOptions deployments{
      .projection = json::Projection::of({{"metadata", "annotations"}, {"spec"}, {"status"}})};
  const controller::WatchOptions services{.projection = json::Projection::of({{"metadata", "annotations"}, {"spec"}})};
  const auto labelled = *kube::Selector::parse("app=memcached," + std::string(kOwnerLabel));
  const auto by_label = controller::map_by_label(owner, kOwnerLabel);
  return controller_for<Memcached>(reconcile)
      .owns<apps::v1::Deployment>(deployments, controller::Deletion::kNeverDeletes)
      .owns<core::v1::Service>(services, controller::Deletion::kNeverDeletes)
      .watches<apps::v1::Deployment>(controller::map_by_name(owner), deployments)
      .watches<core::v1::Service>(controller::map_by_name(owner), services)
      .watches<apps::v1::ReplicaSet>(by_label, {.labels = labelled, .projection = json::Projection::of({})})
      .watches<core::v1::Pod>(
          by_label,
          {.labels = labelled, .projection = json::Projection::of({{"status", "phase"}, {"status", "conditions"}})});
}

}  // namespace keelson::controllers
