// The CronJob controller in simulation: slots, policies, crashes at every write, clocks that jump.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <set>

#include "keelson/schema/time.hpp"
#include "src/kinds/cronjob/cronjob.hpp"
#include "test/sim/cronjob_world.hpp"
#include "test/sim/webhook_error.hpp"
#include "test/support/conditions.hpp"

namespace keelson::testing {
namespace {

using namespace std::chrono_literals;
using sandbox::RequestInfo;
using sandbox::WriteFate;

const kube::Key kWeb("default", "web");

// A cluster with one CronJob, "web".
struct CronJobCluster : CronJobWorld {
  explicit CronJobCluster(std::chrono::seconds job_time = 5s, double failure = 0, std::uint64_t seed = 1)
      : CronJobWorld(seed, jobs_last(job_time, failure)) {}
  void apply(const std::string& spec) { create_cronjob("web", spec); }
  void edit(const std::string& spec) { patch(kube::resource_of<kinds::CronJob>(), kWeb, R"({"spec":{)" + spec + "}}"); }
  std::string jobs() {
    std::string names;
    for (const auto& job : server.objects(kube::jobs())) names += std::string(job.name()) + " ";
    return names;
  }
  std::string status(std::initializer_list<std::string_view> path) {
    auto document = get(kube::resource_of<kinds::CronJob>(), kWeb);
    return document.root().find("status").at(path).text();
  }
  std::string condition(const std::string& type) {
    auto document = get(kube::resource_of<kinds::CronJob>(), kWeb);
    return condition_text(document.root(), type);
  }
  // The reasons of all Events, sorted.
  std::string events() {
    std::set<std::string> reasons;
    for (const auto& event : server.objects(kube::events())) {
      auto document = json::Document::parse(event.json());
      reasons.emplace(document->root().find("reason").string().value_or(""));
    }
    std::string text;
    for (const auto& reason : reasons) text += reason + " ";
    return text;
  }
};

TEST_CASE(
    "C20, C41, K3: a CronJob of every minute creates a Job a minute, applies its history limits, and writes the "
    "minimum") {
  CronJobCluster cluster;
  cluster.start_manager();
  cluster.apply(R"("schedule":"*/1 * * * *")");

  cluster.pass(10min + 30s);

  CHECK(cluster.made() == 10);
  CHECK(cluster.jobs() == "web-1767226080 web-1767226140 web-1767226200 ");
  // A status for the first reconcile, then one when a Job starts and one when it ends.
  CHECK(cluster.statuses() == 21);
  CHECK(cluster.status({"lastScheduleTime"}) == R"("2026-01-01T00:10:00Z")");
  CHECK(cluster.status({"lastSuccessfulTime"}) == R"("2026-01-01T00:10:05Z")");
  CHECK(cluster.status({"activeJobs"}) == "0");
  CHECK(cluster.condition("Ready") == "True Scheduled");
  CHECK(cluster.events() == "SawCompletedJob SuccessfulCreate SuccessfulDelete ");
  CHECK(cluster.errors() == 0);
  // Each Job has its own Event.
  auto events = cluster.server.objects(kube::events());
  auto tells_of = [](const kube::Object& event) {
    return event.json().find("Created job web-1767226200") != std::string::npos;
  };
  CHECK(std::ranges::count_if(events, tells_of) == 1);
}

TEST_CASE("C8 to C10, C33: a Job has the labels and annotations of the template and the CronJob as its owner") {
  CronJobCluster cluster;
  cluster.start_manager();
  cluster.apply(R"("schedule":"*/1 * * * *","timeZone":"Asia/Tokyo")");
  cluster.pass(70s);

  auto job = cluster.get(kube::jobs(), {"default", "web-1767225660"});
  auto metadata = job.root().find("metadata");
  CHECK(metadata.at({"labels", "app"}).string() == "web");
  CHECK(metadata.at({"annotations", "batch.tutorial.kubebuilder.io/scheduled-at"}).string() ==
        "2026-01-01T09:01:00+09:00");
  CHECK(metadata.at({"annotations", "batch.kubernetes.io/cronjob-scheduled-timestamp"}).string() ==
        "2026-01-01T09:01:00+09:00");
  auto owner = metadata.find("ownerReferences").item(0);
  CHECK(owner.find("controller").boolean() == true);
  CHECK(owner.find("kind").string() == "CronJob");
}

TEST_CASE("a CronJob that was suspended after the backup runs again once etcd is restored with raised revisions") {
  CronJobCluster cluster;
  cluster.start_manager();
  cluster.apply(R"("schedule":"*/1 * * * *")");
  cluster.pass(2min + 30s);
  auto backup = cluster.server.backup();
  cluster.pass(5min);
  cluster.edit(R"("suspend":true)");
  cluster.pass(5min);
  auto made_before = cluster.made();

  cluster.server.restore(*backup);
  cluster.pass(3min);

  CHECK(made_before == 7);
  CHECK(cluster.made() >= made_before + 3);
  CHECK(cluster.status({"lastScheduleTime"}) == R"("2026-01-01T00:15:00Z")");
  CHECK(cluster.condition("Ready") == "True Scheduled");
}

TEST_CASE("C19, C22, K9: Forbid starts no Job while another one is active, and runs the latest slot when it ends") {
  CronJobCluster cluster(90s);
  cluster.start_manager();
  cluster.apply(R"("schedule":"*/1 * * * *","concurrencyPolicy":"Forbid")");

  cluster.pass(2min + 5s);
  CHECK(cluster.made() == 1);
  CHECK(cluster.events() == "JobAlreadyActive SuccessfulCreate ");
  cluster.pass(30s);  // the first ended at 2:30
  CHECK(cluster.made() == 2);
  CHECK(cluster.jobs().find("web-1767225720") != std::string::npos);
}

TEST_CASE("C19, K10: Replace deletes the active Job") {
  CronJobCluster cluster(10min);
  cluster.start_manager();
  cluster.apply(R"("schedule":"*/1 * * * *","concurrencyPolicy":"Replace")");

  cluster.pass(3min + 5s);

  CHECK(cluster.jobs() == "web-1767225780 ");
  CHECK(cluster.made() == 3);
  CHECK(cluster.status({"activeJobs"}) == "1");
  CHECK(cluster.events() == "SuccessfulCreate SuccessfulDelete ");
}

TEST_CASE("C4, C16: a suspended CronJob runs nothing, and a single slot when it is resumed") {
  CronJobCluster cluster;
  cluster.start_manager();
  cluster.apply(R"("schedule":"*/1 * * * *","suspend":true)");
  cluster.pass(5min + 30s);
  CHECK(cluster.made() == 0);
  CHECK(cluster.condition("Available") == "False Suspended");

  cluster.edit(R"("suspend":false)");
  cluster.pass(10s);
  CHECK(cluster.jobs() == "web-1767225900 ");
}

TEST_CASE("C2, C19, K8: a slot that would start later than its deadline is skipped and reported") {
  CronJobCluster cluster;
  cluster.start_manager();
  cluster.apply(R"("schedule":"0 * * * *","startingDeadlineSeconds":30)");
  cluster.pass(59min);
  cluster.crash_manager();
  cluster.pass(5min);
  cluster.start_manager();
  cluster.pass(10s);

  CHECK(cluster.made() == 0);
  CHECK(cluster.condition("Degraded") == "True MissedSchedule");
  CHECK(cluster.events() == "MissSchedule ");
  cluster.pass(1h);
  CHECK(cluster.made() == 1);
  CHECK(cluster.condition("Degraded") == "False AsExpected");
}

TEST_CASE("C31: after more than a hundred missed slots the latest one runs, and an Event warns") {
  CronJobCluster cluster;
  cluster.apply(R"("schedule":"*/1 * * * *")");
  cluster.pass(3h + 30s);
  cluster.start_manager();
  cluster.pass(10s);

  CHECK(cluster.jobs() == "web-1767236400 ");
  CHECK(cluster.events() == "SawCompletedJob SuccessfulCreate TooManyMissedTimes ");
}

TEST_CASE("C6, C30: a slot does not run again with a history limit of 0 or after its Job is deleted") {
  CronJobCluster cluster;
  cluster.start_manager();
  cluster.apply(R"("schedule":"0 * * * *","successfulJobsHistoryLimit":0)");
  cluster.pass(1h + 30s);
  CHECK(cluster.made() == 1);
  CHECK(cluster.jobs().empty());
  cluster.crash_manager();
  cluster.start_manager();
  cluster.pass(50min);
  CHECK(cluster.made() == 1);

  cluster.edit(R"("successfulJobsHistoryLimit":3)");
  cluster.pass(10min + 10s);
  CHECK(cluster.made() == 2);
  cluster.remove(kube::jobs(), {"default", "web-1767232800"});
  cluster.pass(10min);
  CHECK(cluster.made() == 2);
}

TEST_CASE("C18: an invalid schedule is reported, causes no requests, and recovers when it is corrected") {
  CronJobCluster cluster;
  cluster.start_manager();
  cluster.apply(R"("schedule":"every now and then")");
  cluster.pass(10min);

  CHECK(cluster.condition("Ready") == "False InvalidSchedule");
  CHECK(cluster.condition("Stalled") == "True InvalidSchedule");
  CHECK(cluster.statuses() == 1);
  CHECK(cluster.events() == "UnparseableSchedule ");
  cluster.edit(R"("schedule":"*/1 * * * *")");
  cluster.pass(61s);
  CHECK(cluster.condition("Ready") == "True Scheduled");
  CHECK(cluster.condition("Stalled") == "-");
  CHECK(cluster.made() > 0);
}

TEST_CASE("K2, K11: a rejected Job is reported, retried, and created when the API server accepts it") {
  CronJobCluster cluster;
  auto no_jobs = cluster.server.forbid([](const RequestInfo& request) {
    return request.user == "manager" && request.resource == kube::jobs() && request.is_write();
  });
  cluster.start_manager();
  cluster.apply(R"("schedule":"0 * * * *")");
  cluster.pass(1h + 10s);
  CHECK(cluster.condition("Degraded") == "True JobCreationFailed");
  CHECK(cluster.events().find("FailedCreate") != std::string::npos);

  no_jobs.reset();
  cluster.pass(1min);
  CHECK(cluster.jobs() == "web-1767229200 ");
  CHECK(cluster.condition("Degraded") == "False AsExpected");
}

TEST_CASE("while a webhook for Jobs fails, the status of the CronJob's other runs is still updated") {
  CronJobCluster cluster(65s);
  cluster.start_manager();
  cluster.apply(R"("schedule":"*/1 * * * *")");
  cluster.pass(61s);
  REQUIRE(cluster.made() == 1);
  auto is_job = [](const RequestInfo& request) { return request.resource == kube::jobs() && request.is_apply; };
  const auto down = webhook_error();
  for (int i = 0; i < 100; ++i) cluster.server.fail_next(is_job, down);

  cluster.pass(90s);

  CHECK(cluster.made() == 1);
  CHECK(cluster.status({"activeJobs"}) == "0");
  CHECK(cluster.events() == "FailedCreate SawCompletedJob SuccessfulCreate ");
  CHECK(cluster.condition("Ready") == "False JobCreationFailed");
  CHECK(cluster.condition("Degraded") == "True JobCreationFailed");
}

TEST_CASE("a webhook for Jobs that fails for a few seconds does not degrade the CronJob") {
  CronJobCluster cluster(65s);
  cluster.start_manager();
  cluster.apply(R"("schedule":"*/1 * * * *")");
  cluster.pass(1s);
  auto is_job = [](const RequestInfo& request) { return request.resource == kube::jobs() && request.is_apply; };
  const auto down = webhook_error();
  for (int i = 0; i < 10; ++i) cluster.server.fail_next(is_job, down);

  bool is_degraded = false;
  for (int second = 0; second < 90; ++second) {
    cluster.pass(1s);
    is_degraded = is_degraded || cluster.condition("Degraded") != "False AsExpected";
  }

  CHECK_FALSE(is_degraded);
  CHECK(cluster.made() == 1);
}

TEST_CASE("K1: a Job that is not owned and has the name of a slot is left alone, and the next slot runs") {
  CronJobCluster cluster;
  cluster.start_manager();
  cluster.apply(R"("schedule":"*/1 * * * *")");
  cluster.create(kube::jobs(), "default",
                 R"({"metadata":{"name":"web-1767225660"},"spec":{"suspend":true,"template":{"spec":{)"
                 R"("restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}})");
  cluster.pass(90s);
  CHECK(cluster.condition("Stalled") == "True JobCreationFailed");
  CHECK(
      cluster.get(kube::jobs(), {"default", "web-1767225660"}).root().at({"metadata", "ownerReferences"}).is_absent());

  cluster.pass(1min);
  CHECK(cluster.jobs().find("web-1767225720") != std::string::npos);
  CHECK(cluster.condition("Stalled") == "-");
  CHECK(cluster.events().find("FailedCreate") != std::string::npos);
}

TEST_CASE("C35: Jobs of an earlier CronJob of the same name are not counted") {
  CronJobCluster cluster(1h);
  cluster.start_manager();
  cluster.apply(R"("schedule":"*/1 * * * *","concurrencyPolicy":"Forbid")");
  cluster.pass(90s);
  CHECK(cluster.made() == 1);
  kube::DeleteOptions options;
  options.propagation = "Orphan";
  cluster.remove_cronjob("web", options);
  cluster.pass(5s);
  cluster.apply(R"("schedule":"*/1 * * * *","concurrencyPolicy":"Forbid")");
  cluster.pass(1min);

  CHECK(cluster.made() == 2);
}

TEST_CASE("C36: a CronJob that is being deleted starts no Job") {
  CronJobCluster cluster(1h);
  cluster.start_manager();
  cluster.create_cronjob("web", R"("schedule":"*/1 * * * *")", R"(,"finalizers":["example.com/hold"])");
  cluster.pass(90s);
  cluster.remove_cronjob("web", {});
  cluster.pass(10min);

  CHECK(cluster.made() == 1);
}

TEST_CASE("a crash at any write never runs a slot twice and never loses one") {
  for (auto fate : {WriteFate::kLost, WriteFate::kReplyLost}) {
    for (int crash_at = 1; crash_at <= 12; ++crash_at) {
      INFO("crash at write " << crash_at << (fate == WriteFate::kLost ? ", lost" : ", done but not answered"));
      CronJobCluster cluster;
      async::Notify crash;
      int writes = 0;
      cluster.server.before_write([&](const RequestInfo& request) {
        if (request.user != "manager" || request.resource == kube::events() || ++writes != crash_at) {
          return WriteFate::kProceeds;
        }
        crash.notify_all();
        return fate;
      });
      cluster.start_manager();
      cluster.apply(R"("schedule":"*/1 * * * *","successfulJobsHistoryLimit":0,"concurrencyPolicy":"Forbid")");
      REQUIRE(cluster.pass_until(crash, 10min));
      cluster.crash_manager();
      cluster.start_manager();
      cluster.pass(5min);

      for (const auto& fault : cluster.ledger.faults(cluster.loop.clock().wall_now())) FAIL_CHECK(fault);
      CHECK(cluster.ledger.runs() >= 4);
    }
  }
}

TEST_CASE("a clock that jumps forward runs a single missed slot, and one that jumps back runs no slot twice") {
  CronJobCluster cluster;
  cluster.start_manager();
  cluster.apply(R"("schedule":"0 * * * *")");
  cluster.pass(10min);
  auto& clock = cluster.loop.clock();

  clock.set_wall(clock.wall_now() + 3h);
  cluster.pass(10s);
  CHECK(cluster.jobs() == "web-1767236400 ");  // 03:00, and not 01:00 or 02:00
  cluster.pass(50min);
  CHECK(cluster.made() == 2);

  clock.set_wall(clock.wall_now() - 2h);
  cluster.pass(2h);  // 02:00 to 04:00 again
  CHECK(cluster.made() == 2);
  cluster.pass(1h);
  CHECK(cluster.made() == 3);
}

TEST_CASE("while no slot is due, any number of CronJobs cause no requests, reconciles or timers") {
  CronJobCluster cluster;
  for (int i = 0; i < 500; ++i) {
    cluster.create_cronjob("job-" + std::to_string(i), R"("schedule":")" + std::to_string(i % 60) + R"( 12 * * *")");
  }
  cluster.start_manager();
  cluster.pass(1min);
  auto timers = cluster.loop.clock().timers();
  auto statuses = cluster.statuses();
  CHECK(statuses == 500);

  cluster.sink.clear();
  cluster.server.clear_log();
  cluster.pass(9h);

  CHECK(cluster.loop.clock().timers() <= timers);
  CHECK(timers < 20);
  CHECK(cluster.sink.count("job count") == 0);
  for (const auto& request : cluster.server.log()) CHECK(request.verb == kube::Verb::kWatch);
}

}  // namespace
}  // namespace keelson::testing
