#include "keelson/controller/stateful_set_rollout.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/kube/typed_object.hpp"
#include "keelson/schema/time.hpp"

namespace keelson::controller {
namespace {

apps::v1::StatefulSet set_of(const std::string& spec, const std::string& status) {
  const auto object = kube::Object::from_json(
      R"({"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"name":"db","namespace":"default","uid":"s-1",)"
      R"("resourceVersion":"9","generation":2},"spec":)" +
      spec + R"(,"status":)" + status + "}");
  return *kube::decode_object<apps::v1::StatefulSet>(*object);
}

Rollout rollout_of_set(const std::string& spec, const std::string& status) { return rollout_of(set_of(spec, status)); }

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

TEST_CASE("the rollout of a StatefulSet has the problem of its pods, and when one begins") {
  const auto set = set_of(R"({"replicas":1})", R"({"observedGeneration":2,"replicas":1})");
  const async::WallTime now = *kube::parse_time("2026-01-01T01:00:00Z");
  const auto rollout_with = [&](const std::string& status) {
    const auto text = R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-0","namespace":"default","uid":"u",)"
                      R"("resourceVersion":"9","creationTimestamp":"2026-01-01T00:59:00Z"},"spec":{"containers":[]},)"
                      R"("status":{)" +
                      status + "}}";
    return rollout_of(set, {*kube::decode_object<core::v1::Pod>(*kube::Object::from_json(text))}, now);
  };
  const std::string waits =
      R"("containerStatuses":[{"name":"c","image":"i","imageID":"","ready":false,"restartCount":0,"state":)"
      R"({"waiting":{"reason":"ImagePullBackOff"}}}])";

  const auto stuck = rollout_with(waits);
  REQUIRE(stuck.problem);
  CHECK(stuck.problem->reason == "ImagePullBackOff");
  CHECK(stuck.problem->message.starts_with("Pod web-0: container c waits with ImagePullBackOff since "));
  CHECK(stuck.waits_for == "0 of 1 pods are ready");
  const auto starting = rollout_with("");
  CHECK_FALSE(starting.problem);
  CHECK(starting.check_at == now + std::chrono::minutes(9));
}

TEST_CASE("a StatefulSet whose next pod is rejected, by a quota for example, has the problem FailedCreate") {
  const async::WallTime now = *kube::parse_time("2026-01-01T01:00:00Z");
  const auto pod = [](const std::string& more) {
    const auto text = R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"db-0","namespace":"default","uid":"u",)"
                      R"("resourceVersion":"9","creationTimestamp":"2026-01-01T00:59:00Z")" +
                      more +
                      R"(},"spec":{"containers":[]},"status":{"conditions":[{"type":"Ready","status":"True"}]}})";
    return *kube::decode_object<core::v1::Pod>(*kube::Object::from_json(text));
  };
  const std::string three = R"({"replicas":3})";
  const auto rejected = rollout_of(set_of(three, R"({"observedGeneration":2,"replicas":0})"), {}, now);
  REQUIRE(rejected.problem);
  CHECK(rejected.problem->reason == "FailedCreate");
  CHECK(
      rejected.problem->message ==
      "0 of 3 pods exist, and the next one is rejected, for example by a quota: `kubectl describe statefulset db` has "
      "the Event FailedCreate with the cause.");
  CHECK_FALSE(rejected.has_failed());
  CHECK(rejected.waits_for == "0 of 3 pods are ready");

  const std::string one = R"("replicas":1,"readyReplicas":1,"availableReplicas":1})";
  CHECK(rollout_of(set_of(three, R"({"observedGeneration":2,)" + one), {pod("")}, now).problem);
  // The controller has not observed the new spec, the pod does not serve yet for minReadySeconds, the cache does not
  // have the pod yet, or the former pod is being deleted.
  CHECK_FALSE(rollout_of(set_of(three, R"({"observedGeneration":1,)" + one), {pod("")}, now).problem);
  const std::string early = R"({"observedGeneration":2,"replicas":1,"readyReplicas":1,"availableReplicas":0})";
  CHECK_FALSE(rollout_of(set_of(three, early), {pod("")}, now).problem);
  CHECK_FALSE(rollout_of(set_of(three, R"({"observedGeneration":2,)" + one), {}, now).problem);
  const auto deleted = pod(R"(,"deletionTimestamp":"2026-01-01T00:59:30Z")");
  CHECK_FALSE(rollout_of(set_of(three, R"({"observedGeneration":2,)" + one), {deleted}, now).problem);
  // All pods exist, or none is desired.
  CHECK_FALSE(rollout_of(set_of(R"({"replicas":1})", R"({"observedGeneration":2,)" + one), {pod("")}, now).problem);
  CHECK_FALSE(rollout_of(set_of(R"({"replicas":0})", R"({"observedGeneration":2,"replicas":0})"), {}, now).problem);
}

}  // namespace
}  // namespace keelson::controller
