#include "keelson/controller/rollout.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/kube/typed_object.hpp"

namespace keelson::controller {
namespace {

Rollout rollout_of(const std::string& spec, const std::string& status) {
  const auto object = kube::Object::from_json(
      R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"default","uid":"d-1",)"
      R"("resourceVersion":"9","generation":2},"spec":)" +
      spec + R"(,"status":)" + status + "}");
  return controller::rollout_of(*kube::decode_object<apps::v1::Deployment>(*object));
}

TEST_CASE("a rollout waits for the same conditions as kubectl rollout status") {
  struct Row {
    std::string spec, status, waits_for;
  };
  const std::string three = R"({"replicas":3})";
  const std::vector<Row> table{
      {three, "{}", "its newest spec is not observed yet"},
      {three, R"({"observedGeneration":1,"replicas":3,"updatedReplicas":3,"availableReplicas":3})",
       "its newest spec is not observed yet"},
      {three, R"({"observedGeneration":2})", "0 of 3 new replicas have been updated"},
      {three, R"({"observedGeneration":2,"replicas":4,"updatedReplicas":2,"availableReplicas":3})",
       "2 of 3 new replicas have been updated"},
      {three, R"({"observedGeneration":2,"replicas":4,"updatedReplicas":3,"availableReplicas":4})",
       "1 old replicas are pending termination"},
      {three, R"({"observedGeneration":2,"replicas":3,"updatedReplicas":3,"availableReplicas":2})",
       "2 of 3 updated replicas are available"},
      {three, R"({"observedGeneration":2,"replicas":3,"updatedReplicas":3,"availableReplicas":3})", ""},
      {R"({"replicas":0})", R"({"observedGeneration":2})", ""},
      {"{}", R"({"observedGeneration":2})", "0 of 1 new replicas have been updated"},
  };

  for (const auto& row : table) {
    auto rollout = rollout_of(row.spec, row.status);

    INFO(row.spec << " " << row.status);
    CHECK(rollout.waits_for == row.waits_for);
    CHECK(rollout.is_complete() == row.waits_for.empty());
  }
}

TEST_CASE("a rollout has the desired and the ready replicas") {
  auto rollout = rollout_of(R"({"replicas":3})", R"({"observedGeneration":2,"readyReplicas":2})");

  CHECK(rollout.replicas == 3);
  CHECK(rollout.ready_replicas == 2);
  CHECK(rollout.failure.empty());
}

TEST_CASE("a Deployment that fails has a problem with the field's reason") {
  struct Row {
    std::string conditions;
    std::optional<RolloutProblem> problem;
  };
  const std::string quota =
      R"({"type":"ReplicaFailure","status":"True","reason":"FailedCreate","message":"pods \"web-x\" is forbidden: )"
      R"(exceeded quota: few","lastTransitionTime":"2026-01-01T00:00:00Z"})";
  const std::string policy =
      R"({"type":"ReplicaFailure","status":"True","reason":"FailedCreate","message":"violates PodSecurity"})";
  const std::string late =
      R"({"type":"Progressing","status":"False","reason":"ProgressDeadlineExceeded","message":"It is late."})";
  const std::vector<Row> table{
      {R"({"type":"Progressing","status":"True","reason":"ReplicaSetUpdated","message":"fine"})", std::nullopt},
      {R"({"type":"Progressing","status":"Unknown","reason":"DeploymentPaused","message":"paused"})", std::nullopt},
      {R"({"type":"ReplicaFailure","status":"False"})", std::nullopt},
      {late, RolloutProblem{"ProgressDeadlineExceeded", "It is late."}},
      {policy, RolloutProblem{"FailedCreate", "violates PodSecurity."}},
      {quota, RolloutProblem{"QuotaExceeded",
                             "pods \"web-x\" is forbidden: exceeded quota: few. Since 2026-01-01T00:00:00Z."}},
      // The rejection is the cause of the delay.
      {policy + "," + late, RolloutProblem{"FailedCreate", "violates PodSecurity."}},
      {late + "," + policy, RolloutProblem{"FailedCreate", "violates PodSecurity."}},
  };

  for (const auto& row : table) {
    INFO(row.conditions);
    const auto rollout = rollout_of("{}", R"({"observedGeneration":2,"conditions":[)" + row.conditions + "]}");
    CHECK(rollout.problem == row.problem);
    CHECK(rollout.has_failed() == row.problem.has_value());
  }
}

TEST_CASE("a problem is new if its condition was not True with this reason before") {
  const auto degraded = [](const char* status, const char* reason, const char* message) {
    return std::vector{kube::Condition{.type = "Degraded", .status = status, .reason = reason, .message = message}};
  };
  const auto is_new = [](const auto& before, const auto& after) {
    return new_problem(before, after, "Degraded") != nullptr;
  };

  CHECK(is_new(std::vector<kube::Condition>{}, degraded("True", "A", "")));
  CHECK(is_new(degraded("False", "A", ""), degraded("True", "A", "")));
  CHECK(is_new(degraded("True", "B", ""), degraded("True", "A", "")));
  CHECK_FALSE(is_new(degraded("True", "A", "1 restart"), degraded("True", "A", "2 restarts")));
  CHECK_FALSE(is_new(degraded("True", "A", ""), degraded("False", "A", "")));
  CHECK_FALSE(is_new(degraded("True", "A", ""), std::vector<kube::Condition>{}));
}

}  // namespace
}  // namespace keelson::controller
