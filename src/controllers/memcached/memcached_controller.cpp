// Reconciles a Memcached: its Deployment, its Service, and the list of its nodes in the status.
#include <algorithm>

#include "keelson/api/apps/v1/replica_set.hpp"
#include "keelson/api/core/v1/pod.hpp"
#include "keelson/api/pod_security.hpp"
#include "keelson/controller/controller_for.hpp"
#include "keelson/controller/rollout.hpp"
#include "src/controllers/memcached/memcached.hpp"

namespace keelson::controllers {

constexpr int kPort = 11211;
// The numeric user of the official image: its image names a user, and runAsNonRoot needs a number to check.
constexpr int kUser = 11211;
constexpr const char* kDefaultImage = "memcached:1.6-alpine";

// The desired state. Only fields that are set here are corrected.
std::map<std::string, std::string> pod_labels(const Memcached& memcached) {
  return {{"app", "memcached"}, {kOwnerLabel, memcached.name()}};
}

apps::v1::Deployment deployment_of(const Memcached& memcached, std::string image) {
  const core::v1::Container container{
      .name = "memcached",
      .image = std::move(image),
      .command = {"memcached", "-m=64", "-o", "modern", "-v"},
      .ports = {{.name = "memcached", .container_port = kPort, .protocol = "TCP"}},
      .security_context = core::v1::restricted_container(),
  };
  return {
      .metadata = {.name = memcached.name()},
      .spec = {.replicas = memcached.spec.size,
               .selector = {.match_labels = pod_labels(memcached)},
               .pod_template = {.metadata = {.labels = pod_labels(memcached)},
                                .spec = {.containers = {container},
                                         .security_context = core::v1::restricted_pod(kUser)}}},
  };
}

core::v1::Service service_of(const Memcached& memcached) {
  return {
      .metadata = {.name = memcached.name()},
      .spec = {.ports = {{.name = "memcached", .protocol = "TCP", .port = kPort, .target_port = kPort}},
               .selector = pod_labels(memcached)},
  };
}

namespace {

bool is_node(const core::v1::Pod& pod) {
  const auto& phase = pod.status.phase;
  return !pod.metadata.deletion_timestamp && phase != "Failed" && phase != "Succeeded";
}

bool is_ready(const core::v1::Pod& pod) {
  const auto is_true = [](const auto& condition) { return condition.type == "Ready" && condition.status == "True"; };
  return std::ranges::any_of(pod.status.conditions, is_true);
}

// Finds the nodes by owner references, because any user can put our labels on a pod.
Result<MemcachedStatus> observe(const Memcached& memcached, const apps::v1::Deployment* deployment,
                                const Pass<Memcached>& pass) {
  const auto labels = pod_labels(memcached);
  auto status = pass.stored_status();
  status.selector = kube::Selector::equals({labels.begin(), labels.end()}).text();
  status.nodes.clear();
  status.ready_nodes = 0;
  status.replicas = 0;
  if (deployment == nullptr) return status;
  KEELSON_LET(const auto replica_sets, pass.children_of<apps::v1::ReplicaSet>(*deployment));
  for (const auto& replica_set : replica_sets) {
    KEELSON_LET(const auto pods, pass.children_of<core::v1::Pod>(replica_set));
    for (const auto& pod : pods) {
      if (!is_node(pod)) continue;
      status.nodes.push_back(pod.metadata.name);
      if (is_ready(pod)) ++status.ready_nodes;
    }
  }
  std::ranges::sort(status.nodes);
  status.replicas = static_cast<std::int32_t>(status.nodes.size());
  return status;
}

void set_conditions(int size, const controller::Rollout& rollout, Pass<Memcached>& pass) {
  const auto& status = pass.status();
  const auto& problem = pass.problem();
  const auto count = std::to_string(status.ready_nodes) + " of " + std::to_string(size) + " nodes are ready.";
  const bool is_complete = status.replicas == size && status.ready_nodes == size && rollout.is_complete() && !problem;
  const bool is_available = size == 0 || status.ready_nodes > 0;
  pass.condition("Available", is_available, is_available ? "NodesAvailable" : "NoNodeReady", count);
  if (problem ? problem->readiness == kube::Readiness::kStalled : !rollout.failure.empty()) {
    const auto reason = problem ? problem->reason : "DeploymentFailed";
    const auto message = problem ? problem->message : rollout.failure;
    pass.condition("Degraded", true, reason, message);
    pass.condition("Progressing", false, "Stopped", count);
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

// After an error of one child, the other child is still applied and the status is complete.
Reconciled reconcile(const Memcached& memcached, Pass<Memcached>& pass) {
  pass.log.debug("Reconciling Memcached.");
  const auto image = memcached.spec.image.value_or(pass.environment("MEMCACHED_IMAGE", kDefaultImage));
  const auto [applied, service] = co_await pass.apply_all(deployment_of(memcached, image), service_of(memcached));
  if (!pass.problem()) {
    KEELSON_CO_TRY(applied);
    KEELSON_CO_TRY(service);
  }

  KEELSON_CO_LET(const auto deployment, pass.child<apps::v1::Deployment>(memcached.name()));
  KEELSON_CO_LET(pass.status(), observe(memcached, deployment ? &*deployment : nullptr, pass));
  const auto rollout = controller::rollout_of(deployment.value_or(apps::v1::Deployment{}));
  set_conditions(memcached.spec.size, rollout, pass);
  KEELSON_CO_TRY(applied);
  KEELSON_CO_TRY(service);
  co_return done();
}

}  // namespace

controller::Definition memcached() {
  const auto owner = kube::resource_of<Memcached>();
  // The paths that apply compares, and those that the status reports.
  const controller::WatchOptions children{.projection = json::Projection::of({{"spec"}, {"status"}}),
                                          .only_compares_generations = true};
  const auto pods = json::Projection::of({{"status", "phase"}, {"status", "conditions"}});
  const auto labelled = *kube::Selector::parse("app=memcached," + std::string(kOwnerLabel));
  const auto by_label = controller::map_by_label(owner, kOwnerLabel);
  return controller_for<Memcached>(reconcile)
      .owns<apps::v1::Deployment>(children, controller::Deletion::kNeverDeletes)
      .owns<core::v1::Service>(children, controller::Deletion::kNeverDeletes)
      .watches<apps::v1::Deployment>(controller::map_by_name(owner), children)
      .watches<core::v1::Service>(controller::map_by_name(owner), children)
      .watches<apps::v1::ReplicaSet>(by_label, {.labels = labelled, .projection = json::Projection::of({})})
      .watches<core::v1::Pod>(by_label, {.labels = labelled, .projection = pods});
}

}  // namespace keelson::controllers
