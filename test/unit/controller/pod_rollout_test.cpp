#include "keelson/controller/pod_rollout.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "keelson/kube/typed_object.hpp"
#include "keelson/schema/time.hpp"

namespace keelson::controller {
namespace {

using namespace std::chrono_literals;

const async::WallTime kNow = *kube::parse_time("2026-01-01T01:00:00Z");

core::v1::Pod pod_of(std::string status, const std::string& name = "web-1", const std::string& metadata = "") {
  if (status.ends_with(',')) status.pop_back();
  const auto text = R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":")" + name + R"(","namespace":"default",)" +
                    metadata + R"("uid":"u","resourceVersion":"9","creationTimestamp":"2026-01-01T00:59:00Z"},)" +
                    R"("spec":{"nodeName":"n1","containers":[]},"status":{)" + status + "}}";
  // As the cache stores it.
  std::string stored;
  REQUIRE(pod_rollout_projection().apply(text, stored));
  return *kube::decode_object<core::v1::Pod>(*kube::Object::from_json(stored));
}

apps::v1::Deployment deployment_of(const std::string& status = R"("observedGeneration":0)") {
  const auto text = R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"default",)"
                    R"("uid":"d","resourceVersion":"9"},"spec":{"progressDeadlineSeconds":300},"status":{)" +
                    status + "}}";
  return *kube::decode_object<apps::v1::Deployment>(*kube::Object::from_json(text));
}

Rollout rollout_of(const std::string& pod_status) {
  return controller::rollout_of(deployment_of(), {pod_of(pod_status)}, kNow);
}

std::string condition(const std::string& type, const std::string& status, const std::string& since,
                      const std::string& more = "") {
  return R"({"type":")" + type + R"(","status":")" + status + R"(","lastTransitionTime":"2026-01-01T)" + since + "Z\"" +
         more + "}";
}

std::string not_ready(const std::string& since) {
  return R"("phase":"Pending","conditions":[)" +
         condition("Ready", "False", since, R"(,"reason":"ContainersNotReady")") + "],";
}

std::string container(const std::string& state, int restarts = 0, const std::string& last = "{}",
                      const std::string& list = "containerStatuses") {
  return "\"" + list + R"(":[{"name":"c","image":"i","imageID":"","ready":false,"restartCount":)" +
         std::to_string(restarts) + R"(,"state":)" + state + R"(,"lastState":)" + last + "}]";
}

std::string waiting(const std::string& reason, const std::string& message = "") {
  return R"({"waiting":{"reason":")" + reason + R"(","message":")" + message + R"("}})";
}

// A run that ended at 00:59:`end`.
std::string ended(int exit_code, const std::string& start, const std::string& end = "30") {
  return R"({"terminated":{"exitCode":)" + std::to_string(exit_code) + R"(,"reason":"Error","startedAt":"2026-01-01T)" +
         start + R"(Z","finishedAt":"2026-01-01T00:59:)" + end + R"(Z","containerID":"x"}})";
}

std::string running(const std::string& since) { return R"({"running":{"startedAt":"2026-01-01T)" + since + R"(Z"}})"; }

const std::string kReady = R"("phase":"Running","conditions":[)" + condition("Ready", "True", "00:59:50") + "],";

TEST_CASE("a pod that starts, or that works, is no problem") {
  struct Row {
    std::string what;
    std::string status;
    std::optional<async::Duration> check_in;  // absent: never
  };
  const std::vector<Row> table{
      {"a ready pod", kReady + container(running("00:59:50")), std::nullopt},
      {"a new pod", R"("phase":"Pending")", 4min},
      {"a container that is created", not_ready("00:59:00") + container(waiting("ContainerCreating")), 4min},
      {"an init container that runs", not_ready("00:59:00") + container(waiting("PodInitializing")), 4min},
      {"no node for a minute",
       R"("conditions":[)" + condition("PodScheduled", "False", "00:59:00", R"(,"reason":"Unschedulable")") + "]",
       1min},
      {"a pod with scheduling gates",
       R"("conditions":[)" + condition("PodScheduled", "False", "00:59:00", R"(,"reason":"SchedulingGated")") + "]",
       4min},
      {"an error of 5 s", not_ready("00:59:55") + container(waiting("ErrImagePull")), 5s},
      {"one crash", kReady + container(running("00:59:50"), 1, ended(1, "00:59:20")), std::nullopt},
      {"a crash after a long run", kReady + container(running("00:59:50"), 3, ended(137, "00:10:00")), std::nullopt},
      {"a recovered crash loop", kReady + container(running("00:58:50"), 9, ended(1, "00:59:20")), std::nullopt},
      {"a crash loop that runs for half of its former time",
       kReady + container(running("00:59:00"), 9, ended(1, "00:58:30")), 1min},
      {"a first crash, before its first restart", not_ready("00:59:30") + container(ended(1, "00:59:20")), 4min + 30s},
      {"an init container that needed three attempts",
       kReady + container(ended(0, "00:59:20"), 2, ended(1, "00:59:10"), "initContainerStatuses"), std::nullopt},
      {"readiness gates",
       R"("conditions":[)" + condition("Ready", "False", "00:59:50", R"(,"reason":"ReadinessGatesNotReady")") + "," +
           condition("ContainersReady", "True", "00:59:50") + "]",
       4min + 50s},
      {"a clock that is ahead", not_ready("01:30:00"), 5min},
  };
  for (const auto& row : table) {
    INFO(row.what);
    const auto rollout = rollout_of(row.status);
    const bool runs_in_loop = row.what.starts_with("a crash loop");
    CHECK(rollout.problem.has_value() == runs_in_loop);
    CHECK(rollout.check_at.has_value() == row.check_in.has_value());
    if (rollout.check_at && row.check_in) CHECK(*rollout.check_at - kNow == *row.check_in);
  }
}

TEST_CASE("a pod that cannot work is a problem, which names the container, its exit code, its restarts and its node") {
  struct Row {
    std::string status;
    std::string reason, message;  // after "Pod web-1 on node n1: "
  };
  const std::string crash = "container c crashes, exit code 1 (Error), ";
  const std::string since = "container c waits with ImagePullBackOff since 2026-01-01T00:59:00Z";
  const std::vector<Row> table{
      {not_ready("00:59:59") + container(waiting("CrashLoopBackOff", "back-off 10s"), 1, ended(1, "00:59:29")),
       "CrashLoopBackOff", crash + "1 restart."},
      // Between the crash and the next start, and in the next run: the same text.
      {not_ready("00:59:30") + container(ended(1, "00:59:29"), 2, ended(1, "00:59:20")), "CrashLoopBackOff",
       crash + "2 restarts."},
      {kReady + container(running("00:59:50"), 2, ended(1, "00:59:29")), "CrashLoopBackOff", crash + "2 restarts."},
      {kReady + container(running("00:59:50"), 17, ended(1, "00:59:29")), "CrashLoopBackOff",
       crash + "10 or more restarts."},
      {not_ready("00:59:30") + container(waiting("CrashLoopBackOff"), 5, ended(1, "00:59:29"), "initContainerStatuses"),
       "CrashLoopBackOff", crash + "5 or more restarts."},
      {not_ready("00:59:00") + container(waiting("ErrImagePull", "not found")), "ImagePullBackOff",
       since + ": not found."},
      {not_ready("00:59:00") +
           container(waiting("ImagePullBackOff", R"(Back-off pulling image \"i\": ErrImagePull: not found)")),
       "ImagePullBackOff", since + ": not found."},
      {not_ready("00:59:00") + container(waiting("ImagePullBackOff", R"(Back-off pulling image \"i\")")),
       "ImagePullBackOff", since + "."},
      {not_ready("00:59:00") + container(waiting("CreateContainerConfigError", R"(secret \"a\" not found)")),
       "CreateContainerConfigError",
       "container c waits with CreateContainerConfigError since 2026-01-01T00:59:00Z: secret \"a\" not found."},
      {R"("conditions":[)" + condition("Ready", "False", "00:59:00") + "," +
           condition("ContainersReady", "True", "00:10:00") + "]",
       "NodeLost", "the pod is not ready since 2026-01-01T00:59:00Z, because its node does not report."},
      {R"("reason":"NodeLost","phase":"Running")", "NodeLost",
       "the pod is not ready since 2026-01-01T00:59:00Z, because its node does not report."},
      {R"("conditions":[)" +
           condition("PodScheduled", "False", "00:58:00",
                     R"(,"reason":"Unschedulable","message":"0/3 nodes are available: 3 Insufficient cpu.")") +
           "]",
       "Unschedulable", "no node fits since 2026-01-01T00:58:00Z: 0/3 nodes are available: 3 Insufficient cpu."},
      {not_ready("00:55:00") + container(running("00:50:00")), "PodNotReady",
       "the pod is not ready since 2026-01-01T00:55:00Z."},
  };
  for (const auto& row : table) {
    INFO(row.status);
    const auto rollout = rollout_of(row.status);
    REQUIRE(rollout.problem);
    CHECK(rollout.problem->reason == row.reason);
    CHECK(rollout.problem->message == "Pod web-1 on node n1: " + row.message);
    CHECK_FALSE(rollout.has_failed());
  }
}

TEST_CASE("pods that have ended or are being deleted are no problem") {
  const auto crashes = container(waiting("CrashLoopBackOff"), 3, ended(1, "00:59:20"));
  for (const auto* phase : {"Failed", "Succeeded"}) {
    const auto rollout = rollout_of(R"("phase":")" + std::string(phase) + "\"," + crashes);
    CHECK_FALSE(rollout.problem);
    CHECK_FALSE(rollout.check_at);
  }
  const auto deleted = pod_of(crashes, "web-1", R"("deletionTimestamp":"2026-01-01T00:59:00Z",)");
  CHECK_FALSE(controller::rollout_of(deployment_of(), {deleted}, kNow).problem);
}

TEST_CASE("of several pods the first with the worst problem is reported, whatever their order is") {
  const auto crashes = not_ready("00:59:00") + container(waiting("CrashLoopBackOff"), 3, ended(1, "00:59:20"));
  const auto pulls = not_ready("00:59:00") + container(waiting("ErrImagePull"));
  std::vector<core::v1::Pod> pods{pod_of(pulls, "a"), pod_of(kReady, "b"), pod_of(crashes, "d"), pod_of(crashes, "c")};
  const RolloutProblem expected{
      "CrashLoopBackOff",
      "Pod c on node n1: container c crashes, exit code 1 (Error), 3 restarts. 3 of 4 pods have a problem."};

  CHECK(controller::rollout_of(deployment_of(), pods, kNow).problem == expected);
  std::ranges::reverse(pods);
  CHECK(controller::rollout_of(deployment_of(), pods, kNow).problem == expected);
}

TEST_CASE("the pods' problem explains the Deployment's failure") {
  const auto deployment = deployment_of(
      R"("conditions":[{"type":"Progressing","status":"False","reason":"ProgressDeadlineExceeded","message":"Late."}])");
  const auto pod = pod_of(not_ready("00:59:00") + container(waiting("InvalidImageName")));

  const auto rollout = controller::rollout_of(deployment, {pod}, kNow);

  CHECK(rollout.has_failed());
  CHECK(rollout.problem == RolloutProblem{"InvalidImageName",
                                          "Pod web-1 on node n1: container c waits with InvalidImageName since "
                                          "2026-01-01T00:59:00Z. Late."});
}

TEST_CASE("the message of a container runtime is cut and has no line breaks") {
  const auto rollout = rollout_of(not_ready("00:59:00") +
                                  container(waiting("CreateContainerError", R"(a\nb)" + std::string(5000, 'x'))));

  CHECK(rollout.problem->message.size() < 450);
  CHECK(rollout.problem->message.find('\n') == std::string::npos);
}

TEST_CASE("a pass ends with another one at the time when a problem begins or ends") {
  Rollout rollout;
  CHECK_FALSE(check_again(rollout, kNow).after());
  rollout.check_at = kNow + 1min;
  CHECK(check_again(rollout, kNow).after() > 1min);
  CHECK(check_again(rollout, kNow + 2min).after() > 0s);
}

TEST_CASE("the cache stores only the fields of a pod that a rollout reads") {
  const auto text = R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-1"},"spec":{"containers":[{"env":[]}]},)"
                    R"("status":{"podIP":"10.0.0.1","phase":"Running","conditions":[)" +
                    condition("Ready", "True", "00:59:50", R"(,"lastProbeTime":null)") +
                    R"(],"containerStatuses":[{"name":"c","image":"i","imageID":"sha256:1","containerID":"x",)"
                    R"("started":true,"ready":true,"restartCount":0,"lastState":{},"state":)" +
                    running("00:59:50") + "}]}}";
  std::string stored;
  REQUIRE(pod_rollout_projection().apply(text, stored));

  CHECK(stored.find("podIP") == std::string::npos);
  CHECK(stored.find("imageID") == std::string::npos);
  CHECK(stored.find("started\"") == std::string::npos);
  CHECK(stored.find("containers\"") == std::string::npos);
}

}  // namespace
}  // namespace keelson::controller
