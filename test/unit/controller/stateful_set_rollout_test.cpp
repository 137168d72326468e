#include "keelson/controller/stateful_set_rollout.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/kube/typed_object.hpp"

namespace keelson::controller {
namespace {

Rollout rollout_of_set(const std::string& spec, const std::string& status) {
  const auto object = kube::Object::from_json(
      R"({"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"name":"db","namespace":"default","uid":"s-1",)"
      R"("resourceVersion":"9","generation":2},"spec":)" +
      spec + R"(,"status":)" + status + "}");
  return rollout_of(*kube::decode_object<apps::v1::StatefulSet>(*object));
}

TEST_CASE("a StatefulSet waits for an observed spec, ready pods and the new revision") {
  struct Row {
    std::string spec, status, waits_for;
  };
  const std::string three = R"({"replicas":3})";
  const std::string half =
      R"({"replicas":3,"updateStrategy":{"type":"RollingUpdate","rollingUpdate":{"partition":2}}})";
  const std::string manual = R"({"replicas":3,"updateStrategy":{"type":"OnDelete"}})";
  const std::string ready = R"("observedGeneration":2,"replicas":3,"readyReplicas":3,"currentRevision":"a",)";
  const std::vector<Row> table{
      {three, "{}", "its newest spec is not observed yet"},
      {three, R"({"observedGeneration":2,"replicas":3,"readyReplicas":2})", "2 of 3 pods are ready"},
      {three, R"({"observedGeneration":2,"replicas":4,"readyReplicas":4})", "1 pod is pending termination"},
      {three, R"({"observedGeneration":2,"replicas":5,"readyReplicas":5})", "2 pods are pending termination"},
      {three, "{" + ready + R"("updateRevision":"b","updatedReplicas":1})", "1 of 3 pods have been updated"},
      {three, "{" + ready + R"("updateRevision":"a","updatedReplicas":3})", ""},
      {half, "{" + ready + R"("updateRevision":"b"})", "0 of 1 pods have been updated"},
      {half, "{" + ready + R"("updateRevision":"b","updatedReplicas":1})", ""},
      {manual, "{" + ready + R"("updateRevision":"b"})", ""},
      {R"({"replicas":0})", R"({"observedGeneration":2})", ""},
      {"{}", R"({"observedGeneration":2})", "0 of 1 pods are ready"},
  };

  for (const auto& row : table) {
    const auto rollout = rollout_of_set(row.spec, row.status);

    INFO(row.spec << " " << row.status);
    CHECK(rollout.waits_for == row.waits_for);
  }
}

TEST_CASE("the rollout of a StatefulSet has its desired and ready replicas") {
  const auto rollout = rollout_of_set(R"({"replicas":3})", R"({"observedGeneration":2,"readyReplicas":2})");

  CHECK(rollout.replicas == 3);
  CHECK(rollout.ready_replicas == 2);
}

}  // namespace
}  // namespace keelson::controller
