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

}  // namespace
}  // namespace keelson::controller
