// The requests of the CronJob controller in simulation: while Jobs fail and are deleted, after other writers, with
// stale caches.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <set>

#include "src/kinds/cronjob/cronjob.hpp"
#include "test/sim/cronjob_world.hpp"
#include "test/support/result_of.hpp"

namespace keelson::testing {
namespace {

using namespace std::chrono_literals;
using sandbox::RequestInfo;

const kube::Key kWeb("default", "web");

// One CronJob "web" that has a slot each minute.
struct CronJobOfEachMinute : CronJobWorld {
  explicit CronJobOfEachMinute(std::chrono::seconds job_time, double failure = 0)
      : CronJobWorld(1, jobs_last(job_time, failure)) {}
  void apply(const std::string& spec) { create_cronjob("web", R"("schedule":"*/1 * * * *",)" + spec); }

  // The number of Events with this reason.
  std::size_t events(const std::string& reason) {
    auto all = server.objects(kube::events());
    auto fits = [&reason](const kube::Object& event) {
      return event.json().find(R"("reason":")" + reason + "\"") != std::string::npos;
    };
    return static_cast<std::size_t>(std::ranges::count_if(all, fits));
  }
  std::string degraded() {
    auto document = get(kube::resource_of<kinds::CronJob>(), kWeb);
    for (auto one : document.root().at({"status", "conditions"}).items()) {
      if (one.find("type").string() == "Degraded") return std::string(*one.find("reason").string());
    }
    return "-";
  }

  std::string uid(const kube::Resource& resource, const kube::Key& key) {
    return std::string(*get(resource, key).root().at({"metadata", "uid"}).string());
  }
  // Writes as an earlier operator, or as the former leader.
  void someone_makes_job(const std::string& name) {
    create(kube::jobs(), "default",
           R"({"metadata":{"name":")" + name +
               R"(","ownerReferences":[{"apiVersion":"batch.tutorial.kubebuilder.io/v1","kind":"CronJob","name":"web",)"
               R"("uid":")" +
               uid(kube::resource_of<kinds::CronJob>(), kWeb) +
               R"(","controller":true}]},"spec":{"template":{"spec":{"restartPolicy":"Never",)"
               R"("containers":[{"name":"c","image":"i"}]}}}})");
  }
  void someone_writes_active(const std::string& name, const std::string& uid) {
    loop.run([&]() -> boost::asio::awaitable<void> {
      auto body = R"({"status":{"active":[{"apiVersion":"batch/v1","kind":"Job","namespace":"default","name":")" +
                  name + R"(","uid":")" + uid + R"("}]}})";
      auto written = co_await kube::patch(server.client("someone"), kube::resource_of<kinds::CronJob>(), kWeb,
                                          kube::PatchType::kMerge, body, "status");
      REQUIRE(written.has_value());
    });
  }
  // From now on the manager's cache of Jobs only contains its own writes.
  std::shared_ptr<void> cut_off_jobs() {
    auto cut = server.forbid([](const RequestInfo& request) {
      return request.user == "manager" && request.resource == kube::jobs() &&
             (request.verb == kube::Verb::kWatch || request.verb == kube::Verb::kList);
    });
    server.drop_watches();
    return cut;
  }
};

TEST_CASE("C38: a run costs at most two status writes, with any failures and history limits") {
  const char* limits[] = {
      R"("failedJobsHistoryLimit":1,"successfulJobsHistoryLimit":0)",
      R"("failedJobsHistoryLimit":0,"successfulJobsHistoryLimit":3)",
      R"("failedJobsHistoryLimit":0,"successfulJobsHistoryLimit":0)",
      R"("failedJobsHistoryLimit":1,"successfulJobsHistoryLimit":3)",
  };
  for (const auto* spec : limits) {
    INFO(spec);
    CronJobOfEachMinute cluster(5s, 0.5);
    cluster.start_manager();
    cluster.apply(spec);
    std::size_t failures = 0;
    cluster.pass(30s);
    for (int run = 1; run <= 30; ++run) {
      // Half a minute after each run the status still has its result, although the Job may be gone.
      cluster.pass(1min);
      auto document = cluster.get(kube::resource_of<kinds::CronJob>(), kWeb);
      auto status = document.root().find("status");
      bool failed = status.find("lastSuccessfulTime").string().value_or("") < *status.find("lastScheduleTime").string();
      if (failed) ++failures;
      CHECK(cluster.degraded() == (failed ? "JobsFailed" : "AsExpected"));
    }

    CHECK(cluster.made() == 30);
    CHECK(failures > 5);
    CHECK(failures < 25);
    CHECK(cluster.statuses() <= 1 + 2 * cluster.made());
  }
}

TEST_CASE("K5: active Jobs in a status of another operator that do not exist are reported once and removed") {
  CronJobOfEachMinute cluster(5s);
  cluster.apply(R"("suspend":true)");
  cluster.someone_writes_active("web-ghost", "uid-ghost");
  cluster.start_manager();
  cluster.pass(10s);

  auto document = cluster.get(kube::resource_of<kinds::CronJob>(), kWeb);
  CHECK(document.root().at({"status", "active"}).is_absent());
  CHECK(cluster.events("MissingJob") == 1);
  // An apply, and the removal of the field that the other operator owns.
  CHECK(cluster.statuses() == 2);

  cluster.server.clear_log();
  cluster.patch(kube::resource_of<kinds::CronJob>(), kWeb, R"({"spec":{"suspend":false}})");
  cluster.pass(3min);
  auto asks_for_ghost = [](const RequestInfo& request) {
    return request.verb == kube::Verb::kGet && request.resource == kube::jobs();
  };
  CHECK(cluster.server.count(asks_for_ghost) == 0);
  CHECK(cluster.made() >= 2);
}

TEST_CASE("a replaced Job is not reported as missing when the status write fails at first") {
  CronJobOfEachMinute cluster(10min);
  cluster.start_manager();
  cluster.apply(R"("concurrencyPolicy":"Replace")");
  cluster.pass(1min + 30s);
  REQUIRE(cluster.made() == 1);
  cluster.server.fail_next([](const RequestInfo& request) { return request.subresource == "status"; },
                           transport_error("connection reset"));
  cluster.pass(1min);

  CHECK(cluster.made() == 2);
  CHECK(cluster.errors() == 1);
  CHECK(cluster.events("SuccessfulDelete") == 1);
  CHECK(cluster.events("MissingJob") == 0);
  // A Job that another client deletes is reported as missing.
  cluster.remove(kube::jobs(), {"default", "web-1767225720"});
  cluster.pass(10s);
  CHECK(cluster.events("MissingJob") == 1);
}

TEST_CASE("C37: Forbid prevents a second Job while the cache does not have the first one") {
  CronJobOfEachMinute cluster(10min);
  cluster.start_manager();
  cluster.apply(R"("concurrencyPolicy":"Forbid")");
  cluster.pass(30s);
  auto cut = cluster.cut_off_jobs();
  cluster.someone_makes_job("web-1767225600");
  cluster.someone_writes_active("web-1767225600", cluster.uid(kube::jobs(), {"default", "web-1767225600"}));
  cluster.pass(1min);

  CHECK(cluster.made() == 0);
  CHECK(cluster.events("JobAlreadyActive") == 1);
  CHECK(cluster.errors() == 0);
  cut.reset();
  cluster.pass(10min + 30s);
  CHECK(cluster.made() == 1);
}

TEST_CASE("C37: a Job of the slot that exists but is not in the cache counts as created") {
  CronJobOfEachMinute cluster(10min);
  cluster.start_manager();
  cluster.apply(R"("concurrencyPolicy":"Allow")");
  cluster.pass(90s);
  REQUIRE(cluster.made() == 1);
  auto cut = cluster.cut_off_jobs();
  cluster.someone_makes_job("web-1767225720");
  cluster.pass(1min);

  CHECK(cluster.made() == 1);
  CHECK(cluster.errors() == 0);
  auto document = cluster.get(kube::resource_of<kinds::CronJob>(), kWeb);
  CHECK(document.root().at({"status", "lastScheduleTime"}).string() == "2026-01-01T00:02:00Z");
  CHECK(document.root().at({"status", "activeJobs"}).text() == "2");
}

TEST_CASE("C30: with an API server that serves no status, a slot does not run again, and the error has a backoff") {
  CronJobOfEachMinute cluster(5s);
  auto kind = controller::kind_of<kinds::CronJob>();
  kind.status_schema.clear();
  cluster.server.serve(kind);
  std::set<std::string> names;
  cluster.server.after_write([&](const kube::Resource& resource, const auto& before, const auto& after) {
    if (resource != kube::jobs() || before) return;
    INFO(after->name());
    CHECK(names.emplace(after->name()).second);
  });
  cluster.start_manager();
  cluster.apply(R"("successfulJobsHistoryLimit":0)");
  cluster.pass(5min);

  CHECK_FALSE(names.empty());
  CHECK(cluster.errors() > 0);
  CHECK(cluster.server.count([](const RequestInfo& r) { return r.user == "manager" && r.is_write(); }) < 100);
}

TEST_CASE("a CronJob whose Jobs fail is degraded and not ready, with a Warning, until one succeeds") {
  CronJobOfEachMinute cluster(5s, 1);
  cluster.start_manager();
  cluster.apply(R"("failedJobsHistoryLimit":0)");
  cluster.pass(3min);

  CHECK(cluster.degraded() == "JobsFailed");
  CHECK(cluster.events("JobsFailed") == 1);
  const auto explained = cluster.explain_object(kube::resource_of<kinds::CronJob>(), kWeb);
  INFO(explained);
  CHECK(explained.find("Ready=False JobsFailed: Job web-") != std::string::npos);
  CHECK(explained.find("Degraded: JobsFailed: Job web-") != std::string::npos);
  CHECK(explained.find("BackoffLimitExceeded: Job has reached the specified backoff limit") != std::string::npos);
}

TEST_CASE("a CronJob whose Job gets no pods for a minute is degraded, although nothing changes") {
  CronJobOfEachMinute cluster(3h);
  cluster.start_manager();
  cluster.create_cronjob("web", R"("schedule":"0 * * * *","concurrencyPolicy":"Forbid")");
  REQUIRE(cluster.eventually([&] { return cluster.made() == 1; }, 2h));
  cluster.pass(2s);
  const auto job = cluster.server.objects(kube::jobs()).front().key();
  // As the Job controller writes the status while a quota rejects the pods.
  REQUIRE(result_of(cluster.loop,
                    kube::patch(cluster.server.client("job-controller"), kube::jobs(), job, kube::PatchType::kMerge,
                                R"({"status":{"active":null,"ready":0}})", "status")));
  cluster.pass(50s);
  CHECK(cluster.degraded() == "AsExpected");

  cluster.pass(15s);

  CHECK(cluster.degraded() == "NoPods");
  CHECK(cluster.events("NoPods") == 1);
  const auto explained = cluster.explain_object(kube::resource_of<kinds::CronJob>(), kWeb);
  INFO(explained);
  CHECK(explained.find("Degraded: NoPods: Job " + job.name + " has no pod since") != std::string::npos);
}

TEST_CASE(
    "a CronJob whose Job's pods cannot start is degraded after two minutes, and explain never says nothing to do") {
  CronJobOfEachMinute cluster(3h);
  cluster.start_manager();
  cluster.create_cronjob("web", R"("schedule":"0 * * * *","concurrencyPolicy":"Forbid")");
  REQUIRE(cluster.eventually([&] { return cluster.made() == 1; }, 2h));
  cluster.pass(2s);
  const auto job = cluster.server.objects(kube::jobs()).front().key();
  const auto explained = [&] { return cluster.explain_object(kube::resource_of<kinds::CronJob>(), kWeb); };
  // As the Job controller writes the status while an image cannot be pulled.
  const auto write_ready = [&](const std::string& ready) {
    REQUIRE(result_of(cluster.loop,
                      kube::patch(cluster.server.client("job-controller"), kube::jobs(), job, kube::PatchType::kMerge,
                                  R"({"status":{"active":1,"ready":)" + ready + "}}", "status")));
  };
  write_ready("0");
  cluster.pass(110s);
  CHECK(cluster.degraded() == "AsExpected");
  CHECK(explained().find("\nReconciled, and not complete yet: JobsActive: 1 job(s)") != std::string::npos);
  CHECK(explained().find("Nothing is wrong") == std::string::npos);

  cluster.pass(15s);
  CHECK(cluster.degraded() == "PodsNotReady");
  CHECK(cluster.events("PodsNotReady") == 1);
  INFO(explained());
  CHECK(explained().find("\nDegraded: PodsNotReady: Job " + job.name + " has no ready pod since") != std::string::npos);
  CHECK(explained().find("To do: `kubectl describe pods -l job-name=" + job.name) != std::string::npos);

  write_ready("1");
  cluster.pass(2s);
  CHECK(cluster.degraded() == "AsExpected");
}

}  // namespace
}  // namespace keelson::testing
