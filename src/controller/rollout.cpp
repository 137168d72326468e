#include "keelson/controller/rollout.hpp"

#include "keelson/kube/fields.hpp"

namespace keelson::controller {

namespace {

std::string of_many(std::int64_t count, std::int64_t all, std::string_view what) {
  return std::to_string(count) + " of " + std::to_string(all) + " " + std::string(what);
}

std::string failure_of(json::View status) {
  std::string failure;
  for (auto condition : status.find("conditions").items()) {
    auto type = condition.find("type").string().value_or("");
    auto holds = condition.find("status").string().value_or("");
    // Progressing is Unknown while someone has paused the Deployment.
    bool failed = (type == "ReplicaFailure" && holds == "True") || (type == "Progressing" && holds == "False");
    if (failed) failure = condition.find("message").string().value_or("the Deployment does not progress");
  }
  return failure;
}

}  // namespace

Result<Rollout> rollout_of(const kube::Object& deployment) {
  auto fields = kube::Fields::of(deployment);
  if (!fields) return std::move(fields.error());
  auto wanted = fields->at({"spec", "replicas"});
  if (!wanted) return std::move(wanted.error());
  auto status = fields->at({"status"});
  if (!status) return std::move(status.error());
  auto number = [&](std::string_view name) { return status->find(name).integer().value_or(0); };
  auto replicas = wanted->integer().value_or(1);
  auto updated = number("updatedReplicas");

  Rollout rollout;
  rollout.replicas = static_cast<std::int32_t>(replicas);
  rollout.ready_replicas = static_cast<std::int32_t>(number("readyReplicas"));
  rollout.failure = failure_of(*status);
  if (number("observedGeneration") < deployment.generation()) {
    rollout.waits_for = "its newest spec is not observed yet";
  } else if (updated < replicas) {
    rollout.waits_for = of_many(updated, replicas, "new replicas have been updated");
  } else if (number("replicas") > updated) {
    rollout.waits_for = std::to_string(number("replicas") - updated) + " old replicas are pending termination";
  } else if (number("availableReplicas") < updated) {
    rollout.waits_for = of_many(number("availableReplicas"), updated, "updated replicas are available");
  }
  return rollout;
}

}  // namespace keelson::controller
