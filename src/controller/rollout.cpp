#include "keelson/controller/rollout.hpp"

namespace keelson::controller {

namespace {

std::string of_many(std::int32_t count, std::int32_t all, const std::string& what) {
  return std::to_string(count) + " of " + std::to_string(all) + " " + what;
}

std::string failure_of(const apps::v1::DeploymentStatus& status) {
  std::string failure;
  for (const auto& condition : status.conditions) {
    // Progressing is Unknown while the Deployment is paused.
    const bool has_failed = (condition.type == "ReplicaFailure" && condition.status == "True") ||
                            (condition.type == "Progressing" && condition.status == "False");
    if (has_failed) failure = condition.message.empty() ? "the Deployment does not progress" : condition.message;
  }
  return failure;
}

}  // namespace

Rollout rollout_of(const apps::v1::Deployment& deployment) {
  const auto& status = deployment.status;
  const auto desired = deployment.spec.replicas.value_or(1);
  const auto updated = status.updated_replicas;

  Rollout rollout;
  rollout.replicas = desired;
  rollout.ready_replicas = status.ready_replicas;
  rollout.failure = failure_of(status);
  if (deployment.metadata.deletion_timestamp) {
    rollout.waits_for = "the Deployment is being deleted";
  } else if (status.observed_generation < deployment.metadata.generation) {
    rollout.waits_for = "its newest spec is not observed yet";
  } else if (updated < desired) {
    rollout.waits_for = of_many(updated, desired, "new replicas have been updated");
  } else if (status.replicas > updated) {
    rollout.waits_for = std::to_string(status.replicas - updated) + " old replicas are pending termination";
  } else if (status.available_replicas < updated) {
    rollout.waits_for = of_many(status.available_replicas, updated, "updated replicas are available");
  }
  return rollout;
}

}  // namespace keelson::controller
