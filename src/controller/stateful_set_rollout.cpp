#include "keelson/controller/stateful_set_rollout.hpp"

#include <algorithm>
#include <cstdint>

#include "keelson/controller/pod_rollout.hpp"
#include "keelson/detail/base/counted.hpp"
#include "src/controller/pod_problems.hpp"

namespace keelson::controller {

namespace {

std::int32_t partition_of(const apps::v1::StatefulSet& stateful_set) {
  const auto& strategy = stateful_set.spec.update_strategy;
  return strategy.rolling_update ? strategy.rolling_update->partition.value_or(0) : 0;
}

// Empty: all pods that the strategy replaces have the new revision.
std::string missing_updates(const apps::v1::StatefulSet& stateful_set, std::int32_t desired) {
  const auto& status = stateful_set.status;
  if (stateful_set.spec.update_strategy.type == "OnDelete") return {};
  const auto partition = partition_of(stateful_set);
  const auto to_update = std::max(desired - partition, 0);
  const bool is_updated =
      partition > 0 ? status.updated_replicas >= to_update : status.update_revision == status.current_revision;
  if (is_updated) return {};
  return std::to_string(status.updated_replicas) + " of " + std::to_string(to_update) + " pods have been updated";
}

// The controller creates the next pod and counts it in the same pass in which it finds that all others are available. A
// status without it is that of a pass whose create failed. Pods that the cache does not have yet, or still has, make
// the numbers differ.
bool is_create_rejected(const apps::v1::StatefulSet& stateful_set, const std::vector<core::v1::Pod>& pods) {
  const auto& status = stateful_set.status;
  const bool is_observed =
      !stateful_set.metadata.deletion_timestamp && status.observed_generation >= stateful_set.metadata.generation;
  const bool are_available = status.available_replicas.value_or(status.ready_replicas) == status.replicas;
  return is_observed && are_available && status.replicas < stateful_set.spec.replicas.value_or(1) &&
         pods.size() == static_cast<std::size_t>(status.replicas) && std::ranges::all_of(pods, is_live);
}

RolloutProblem rejected_create(const apps::v1::StatefulSet& stateful_set) {
  const auto& name = stateful_set.metadata.name;
  return {"FailedCreate", std::to_string(stateful_set.status.replicas) + " of " +
                              std::to_string(stateful_set.spec.replicas.value_or(1)) +
                              " pods exist, and the next one is rejected, for example by a quota: `kubectl describe "
                              "statefulset " +
                              name + "` has the Event FailedCreate with the cause."};
}

}  // namespace

Rollout rollout_of(const apps::v1::StatefulSet& stateful_set) {
  const auto& status = stateful_set.status;
  Rollout rollout;
  rollout.replicas = stateful_set.spec.replicas.value_or(1);
  rollout.ready_replicas = status.ready_replicas;
  if (stateful_set.metadata.deletion_timestamp) {
    rollout.waits_for = "the StatefulSet is being deleted";
  } else if (status.observed_generation < stateful_set.metadata.generation) {
    rollout.waits_for = "its newest spec is not observed yet";
  } else if (status.ready_replicas < rollout.replicas) {
    rollout.waits_for =
        std::to_string(status.ready_replicas) + " of " + std::to_string(rollout.replicas) + " pods are ready";
  } else if (status.replicas > rollout.replicas) {
    const auto surplus = static_cast<std::uint64_t>(status.replicas - rollout.replicas);
    rollout.waits_for =
        base::counted(surplus, "pod") + base::singular_or_plural(surplus, " is", " are") + " pending termination";
  } else {
    rollout.waits_for = missing_updates(stateful_set, rollout.replicas);
  }
  return rollout;
}

Rollout rollout_of(const apps::v1::StatefulSet& stateful_set, const std::vector<core::v1::Pod>& pods,
                   async::WallTime now) {
  auto rollout = rollout_of(stateful_set);
  add_pod_problems(pods, kDeadlineSeconds, now, rollout);
  if (!rollout.problem && is_create_rejected(stateful_set, pods)) rollout.problem = rejected_create(stateful_set);
  return rollout;
}

}  // namespace keelson::controller
