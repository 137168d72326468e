#include "src/doctor/deployment.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/base/rfc3339.hpp"
#include "keelson/schema/time.hpp"
#include "test/support/text_parts.hpp"
#include "test/unit/doctor/world.hpp"

namespace keelson::doctor {
namespace {

using Ids = std::vector<std::string>;
using testing::replaced;

const async::WallTime kToday = *kube::parse_time("2026-01-01T00:00:00Z");

std::string hours_ago(int hours) {
  return base::format_rfc3339(std::chrono::floor<std::chrono::seconds>(kToday - std::chrono::hours(hours)));
}

Ids ids_of_deployment(const std::string& deployment, const std::string& own_version = "1.0.0") {
  const auto document = parsed(deployment);
  Findings findings;
  check_deployment(document.root(), own_version, findings);
  return ids_of(findings);
}

Ids ids_of_pod(const std::string& pod) {
  const auto deployment = parsed(kDeployment);
  const auto pods = parsed(list_json(pod));
  Findings findings;
  check_pods(deployment.root(), pods.root(), kToday, findings);
  return ids_of(findings);
}

TEST_CASE("each problem of a Deployment is a finding") {
  const std::string healthy = kDeployment;
  CHECK(ids_of_deployment(healthy).empty());
  CHECK(ids_of_deployment(replaced(healthy, R"("replicas":1,)", R"("replicas":0,)")) == Ids{"manager-scaled-down"});
  CHECK(ids_of_deployment(replaced(healthy, R"("updatedReplicas":1)", R"("updatedReplicas":0)")) ==
        Ids{"rollout-in-progress"});
  CHECK(ids_of_deployment(replaced(healthy, R"("generation":1)", R"("generation":2)")) == Ids{"rollout-in-progress"});
  CHECK(ids_of_deployment(replaced(healthy, "sea:1.0.0", "localhost:5000/sea:v0.9.0")) == Ids{"image-other-version"});
  for (const char* image :
       {"localhost:5000/sea", "sea:latest", "sea:v1.0.0", "sea@sha256:1.2.3", "sea:1.0.0@sha256:12", "sea:main-1"}) {
    INFO(image);
    CHECK(ids_of_deployment(replaced(healthy, "sea:1.0.0", image)).empty());
  }
  // An operator that declares no version is not compared by the library's.
  CHECK(ids_of_deployment(healthy, "").empty());
}

TEST_CASE("each problem of a pod is a finding") {
  const std::string healthy = kPod;
  const std::string status = R"("restartCount":0)";
  const auto with = [&](const std::string& more) { return replaced(healthy, status, more); };
  CHECK(ids_of_pod(healthy).empty());
  CHECK(ids_of_pod(with(R"("restartCount":3,"state":{"waiting":{"reason":"CrashLoopBackOff"}})")) ==
        Ids{"pod-crashing"});
  CHECK(ids_of_pod(with(R"("state":{"waiting":{"reason":"ImagePullBackOff"}})")) == Ids{"pod-image-unavailable"});
  const std::string ended = R"("lastState":{"terminated":{"exitCode":1,"finishedAt":"@"}})";
  CHECK(ids_of_pod(with(R"("restartCount":3,)" + replaced(ended, "@", hours_ago(23)))) == Ids{"pod-restarts"});
  CHECK(ids_of_pod(with(R"("restartCount":3,)" + replaced(ended, "@", hours_ago(25)))).empty());
  CHECK(ids_of_pod(with(R"("restartCount":1,"lastState":{"terminated":{"reason":"OOMKilled","exitCode":137}})")) ==
        Ids{"pod-oom-killed"});
  CHECK(ids_of_pod(with(R"("restartCount":1,"lastState":{"terminated":{"reason":"OOMKilled","finishedAt":")" +
                        hours_ago(100) + R"("}})"))
            .empty());
  CHECK(ids_of_pod(replaced(healthy, "sea:1.0.0", "sea:0.9.0")) == Ids{"pod-image-differs"});
  CHECK(ids_of_pod(replaced(healthy, R"("status":"True")", R"("status":"False")")) == Ids{"manager-not-ready"});
  CHECK(ids_of_pod(
            replaced(healthy, R"("name":"sea-1",)", R"("name":"sea-1","deletionTimestamp":"2026-01-01T00:00:00Z",)")) ==
        Ids{"manager-not-ready"});
  CHECK(ids_of_pod("{}") == Ids{"manager-not-ready"});
}

TEST_CASE("a pod that cannot be scheduled explains why no manager is ready") {
  const auto deployment = parsed(kDeployment);
  const auto pods = parsed(list_json(
      R"({"status":{"conditions":[{"type":"PodScheduled","status":"False","message":"0/1 nodes are available"}]}})"));
  Findings findings;

  check_pods(deployment.root(), pods.root(), kToday, findings);

  REQUIRE(ids_of(findings) == Ids{"manager-not-ready"});
  CHECK(findings.all().front().detail == "0/1 nodes are available");
}

TEST_CASE("the Deployments of an operator have its label or its prefix") {
  const auto list =
      parsed(list_json(R"({"metadata":{"name":"x","labels":{"app.kubernetes.io/name":"sea"}}},)"
                       R"({"metadata":{"name":"sea-controller-manager"}},{"metadata":{"name":"seaside"}},)"
                       R"({"metadata":{"name":"sea-backup","labels":{"app.kubernetes.io/name":"backup"}}})"));

  const auto found = deployments_of(list.root(), kube::OperatorName("sea"));

  REQUIRE(found.size() == 2);
  CHECK(found[1].at({"metadata", "name"}).string() == "sea-controller-manager");
}

TEST_CASE("arguments that the manager does not accept are a finding with its error") {
  Deployed deployed;
  deployed.name = "m";
  Findings findings;
  check_flags(deployed, invalid_error("flag provided but not defined: -x\ndid you mean --y?"), findings);
  REQUIRE(ids_of(findings) == Ids{"flag-unknown"});
  CHECK(findings.all().front().detail == "flag provided but not defined: -x did you mean --y?");

  Findings accepted;
  DeployedFlags flags;
  flags.dry_run = true;
  flags.notices = {"--enable-http2 has no effect"};
  check_flags(deployed, flags, accepted);
  CHECK(ids_of(accepted) == Ids{"flag-without-effect", "manager-dry-run"});
}

}  // namespace
}  // namespace keelson::doctor
