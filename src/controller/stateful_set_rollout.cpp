#include "keelson/controller/stateful_set_rollout.hpp"

#include <algorithm>
#include <cstdint>

#include "keelson/base/counted.hpp"

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
  return rollout;
}

}  // namespace keelson::controller
