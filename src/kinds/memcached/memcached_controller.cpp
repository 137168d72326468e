// Reconciles a Memcached: its Deployment, its Service, and the list of its nodes in the status.
#include <algorithm>

#include "keelson/api/pod_security.hpp"
#include "keelson/controller/controller_for.hpp"
#include "keelson/controller/pass.hpp"
#include "keelson/controller/pod_rollout.hpp"
#include "src/kinds/memcached/memcached.hpp"

namespace keelson::kinds {
namespace asio = boost::asio;

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

// The state of the children, from the cache.
struct Observed {
  MemcachedStatus status;
  controller::Rollout rollout;
};

Result<Observed> observe(const Memcached& memcached, const apps::v1::Deployment* deployment,
                         const Pass<Memcached>& pass) {
  const auto labels = pod_labels(memcached);
  Observed observed{pass.stored_status(), controller::rollout_of(apps::v1::Deployment{})};
  auto& status = observed.status;
  status.selector = kube::Selector::equals({labels.begin(), labels.end()}).text();
  status.nodes.clear();
  status.ready_nodes = 0;
  status.replicas = 0;
  if (deployment == nullptr) return observed;
  KEELSON_LET(const auto pods, controller::pods_of(*deployment, pass));
  for (const auto& pod : pods) {
    if (!controller::is_live(pod)) continue;
    status.nodes.push_back(pod.metadata.name);
    if (controller::is_ready(pod)) ++status.ready_nodes;
  }
  std::ranges::sort(status.nodes);
  status.replicas = static_cast<std::int32_t>(status.nodes.size());
  observed.rollout = controller::rollout_of(*deployment, pods, pass.clock.wall_now());
  return observed;
}

// What is reported as Degraded: the problem of a child that could not be applied comes first.
std::optional<controller::RolloutProblem> problem_of(const controller::Rollout& rollout, const Pass<Memcached>& pass) {
  const auto& problem = pass.problem();
  if (!problem) return rollout.problem;
  if (problem->readiness != kube::Readiness::kStalled) return std::nullopt;
  return controller::RolloutProblem{problem->reason, problem->message};
}

void set_conditions(int size, const controller::Rollout& rollout, Pass<Memcached>& pass) {
  const auto& status = pass.status();
  const auto problem = problem_of(rollout, pass);
  const auto count = std::to_string(status.ready_nodes) + " of " + std::to_string(size) + " nodes are ready.";
  const bool is_complete = status.replicas == size && status.ready_nodes == size && rollout.is_complete() &&
                           !rollout.problem && !pass.problem();
  const bool is_available = size == 0 || status.ready_nodes > 0;
  const bool is_stalled = problem && (pass.problem() || rollout.has_failed());
  pass.condition("Available", is_available, is_available ? "NodesAvailable" : "NoNodeReady", count);
  pass.condition("Degraded", problem.has_value(), problem ? problem->reason : "AsExpected",
                 problem       ? problem->message
                 : is_complete ? "Nothing is wrong."
                               : count);
  if (is_stalled) {
    pass.condition("Progressing", false, "Stopped", count);
    pass.stalled(problem->reason, problem->message);
    return;
  }
  pass.condition("Progressing", !is_complete, is_complete ? "Complete" : "RollingOut", count);
  if (is_complete) {
    pass.ready("AllNodesReady", count);
  } else {
    pass.reconciling(problem ? problem->reason : "RollingOut", problem ? count + " " + problem->message : count);
  }
}

// The status is written before, so that the Event of a problem is recorded once.
Task<void> warn(std::string reason, std::string note, Pass<Memcached>& pass) {
  KEELSON_CO_LET(const auto is_written, co_await pass.write_status());
  if (is_written) pass.warning(std::move(reason), std::move(note));
  co_return Result<void>();
}

// After an error of one child, the other child is still applied and the status is complete.
Reconciled reconcile(const Memcached& memcached, Pass<Memcached>& pass) {
  pass.log.debug("Reconciling Memcached.");
  const auto image = memcached.spec.image.value_or(pass.environment("MEMCACHED_IMAGE", kDefaultImage));
  const auto [applied, service] = co_await pass.apply_all(deployment_of(memcached, image), service_of(memcached));
  const auto written = controller::all_of(applied, service);
  if (!written && !pass.problem()) co_return written.error();

  KEELSON_CO_LET(const auto deployment, pass.child<apps::v1::Deployment>(memcached.name()));
  KEELSON_CO_LET(auto observed, observe(memcached, deployment ? &*deployment : nullptr, pass));
  pass.status() = std::move(observed.status);
  set_conditions(memcached.spec.size, observed.rollout, pass);
  // Apply records the Events of children that it cannot write.
  const auto* problem = controller::new_problem(pass.stored_status().conditions, pass.status().conditions, "Degraded");
  if (problem != nullptr && !pass.problem()) {
    KEELSON_CO_TRY(co_await warn(problem->reason, problem->message, pass));
  }
  KEELSON_CO_TRY(written);
  co_return controller::check_again(observed.rollout, pass.clock.wall_now());
}

}  // namespace

controller::Definition memcached() {
  const auto owner = kube::resource_of<Memcached>();
  // The paths that apply compares, and those that the status reports.
  const controller::WatchOptions children{.content = json::Projection::of({{"spec"}, {"status"}}),
                                          .only_compares_generations = true};
  const auto labelled = *kube::Selector::parse("app=memcached," + std::string(kOwnerLabel));
  const auto by_label = controller::map_by_label(owner, kOwnerLabel);
  return controller_for<Memcached>(reconcile)
      .owns<apps::v1::Deployment>(children, controller::Deletion::kNeverDeletes)
      .owns<core::v1::Service>(children, controller::Deletion::kNeverDeletes)
      .watches<apps::v1::ReplicaSet>(by_label, controller::replica_sets_of_rollouts(labelled))
      .watches<core::v1::Pod>(by_label, controller::pods_of_rollouts(labelled));
}

}  // namespace keelson::kinds
