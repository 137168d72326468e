#include "keelson/controller/rollout.hpp"

#include <utility>

#include "keelson/schema/time.hpp"

namespace keelson::controller {

namespace {

std::string of_many(std::int32_t count, std::int32_t all, const std::string& what) {
  return std::to_string(count) + " of " + std::to_string(all) + " " + what;
}

// Progressing is Unknown while the Deployment is paused.
bool is_failure(const apps::v1::DeploymentCondition& condition) {
  return (condition.type == "ReplicaFailure" && condition.status == "True") ||
         (condition.type == "Progressing" && condition.status == "False");
}

std::string reason_of(const apps::v1::DeploymentCondition& condition) {
  // The API server rejects a pod with "pods \"web-x\" is forbidden: exceeded quota: …".
  if (condition.message.find("exceeded quota") != std::string::npos) return "QuotaExceeded";
  return condition.reason.empty() ? "DeploymentFailed" : condition.reason;
}

std::string since(const apps::v1::DeploymentCondition& condition) {
  const auto& time = condition.last_transition_time;
  return time ? " Since " + kube::format_time(*time) + "." : "";
}

// A rejected pod explains why the deadline has passed, so it is reported rather than the deadline.
void read_failure(const apps::v1::DeploymentStatus& status, Rollout& rollout) {
  for (const auto& condition : status.conditions) {
    if (!is_failure(condition)) continue;
    if (rollout.has_failed() && condition.type != "ReplicaFailure") continue;
    rollout.failure = condition.message.empty() ? "the Deployment does not progress" : condition.message;
    auto message = rollout.failure + (rollout.failure.ends_with('.') ? "" : ".") + since(condition);
    rollout.problem = RolloutProblem{reason_of(condition), std::move(message)};
  }
}

}  // namespace

Rollout rollout_of(const apps::v1::Deployment& deployment) {
  const auto& status = deployment.status;
  const auto desired = deployment.spec.replicas.value_or(1);
  const auto updated = status.updated_replicas;

  Rollout rollout;
  rollout.replicas = desired;
  rollout.ready_replicas = status.ready_replicas;
  read_failure(status, rollout);
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

const kube::Condition* new_problem(const std::vector<kube::Condition>& before,
                                   const std::vector<kube::Condition>& after, std::string_view type) {
  const auto* was = kube::find_condition(before, type);
  const auto* is = kube::find_condition(after, type);
  if (is == nullptr || is->status != "True") return nullptr;
  const bool is_known = was != nullptr && was->status == "True" && was->reason == is->reason;
  return is_known ? nullptr : is;
}

}  // namespace keelson::controller
