// CronJobs in the server in this process, from 2026-01-01T00:00:00Z on.
#include "test/unit/sandbox/fleet.hpp"

namespace keelson::sandbox {
namespace {

using fixtures::Fleet;
using std::chrono::minutes;
using std::chrono::seconds;

ApiServerOptions lasting(seconds time) {
  ApiServerOptions options;
  options.job_shortest = options.job_longest = time;
  return options;
}

std::string every_minute(const std::string& more = "", const std::string& schedule = "* * * * *") {
  return R"({"metadata":{"name":"tick"},"spec":{"schedule":")" + schedule + "\"" + more +
         R"(,"jobTemplate":{"metadata":{"labels":{"a":"b"}},"spec":{"template":{"spec":{"restartPolicy":"Never",)"
         R"("containers":[{"name":"c","image":"i:1"}]}}}}}})";
}

// 2026-01-01T00:01:00Z in minutes since the epoch.
constexpr std::int64_t kFirst = 29453761;

std::string job(std::int64_t minute) { return "tick-" + std::to_string(kFirst + minute); }

struct Ticking : Fleet {
  explicit Ticking(const std::string& body, seconds job_time = seconds(1)) : Fleet(lasting(job_time)) {
    create(kube::cron_jobs(), body);
  }
  std::string status(std::string_view field) { return value(kube::cron_jobs(), "tick", {"status", field}); }
};

TEST_CASE("a CronJob creates a Job at each time of its schedule") {
  Ticking cluster(every_minute(), seconds(30));

  cluster.pass(minutes(1) + seconds(1));
  CHECK(cluster.names(kube::jobs()) == job(0));
  CHECK(cluster.value(kube::jobs(), job(0), {"metadata", "labels", "a"}) == "b");
  CHECK(cluster.value(kube::jobs(), job(0),
                      {"metadata", "annotations", "batch.kubernetes.io/cronjob-scheduled-timestamp"}) ==
        "2026-01-01T00:01:00Z");
  CHECK(cluster.status("lastScheduleTime") == "2026-01-01T00:01:00Z");
  CHECK(cluster.status("active").find("\"name\":\"" + job(0) + "\"") != std::string::npos);
  cluster.pass(seconds(40));
  CHECK(cluster.status("active") == "null");
  CHECK(cluster.status("lastSuccessfulTime") == "2026-01-01T00:01:30Z");
  cluster.pass(minutes(1));
  CHECK(cluster.names(kube::jobs()) == job(0) + " " + job(1));
}

TEST_CASE("the history limits delete the oldest finished Jobs") {
  Ticking cluster(every_minute(R"(,"successfulJobsHistoryLimit":2)"));

  cluster.pass(minutes(5) + seconds(10));

  CHECK(cluster.names(kube::jobs()) == job(3) + " " + job(4));
}

TEST_CASE("concurrencyPolicy applies while a Job still runs") {
  Ticking allow(every_minute(), minutes(10));
  Ticking forbid(every_minute(R"(,"concurrencyPolicy":"Forbid")"), minutes(10));
  Ticking replace(every_minute(R"(,"concurrencyPolicy":"Replace")"), minutes(10));

  for (auto* cluster : {&allow, &forbid, &replace}) cluster->pass(minutes(2) + seconds(10));

  CHECK(allow.names(kube::jobs()) == job(0) + " " + job(1));
  CHECK(forbid.names(kube::jobs()) == job(0));
  CHECK(replace.names(kube::jobs()) == job(1));
}

TEST_CASE("a suspended CronJob starts nothing, and starts the latest missed Job after it is resumed") {
  Ticking cluster(every_minute(R"(,"suspend":true)"));
  cluster.pass(minutes(5) + seconds(10));
  CHECK(cluster.count(kube::jobs()) == 0);

  cluster.patch(kube::cron_jobs(), "tick", R"({"spec":{"suspend":false}})");
  cluster.pass(seconds(5));

  CHECK(cluster.names(kube::jobs()) == job(4));
}

TEST_CASE("a Job that would start after startingDeadlineSeconds is not started") {
  Ticking cluster(every_minute(R"(,"suspend":true,"startingDeadlineSeconds":20)"));
  cluster.pass(minutes(5) + seconds(30));

  cluster.patch(kube::cron_jobs(), "tick", R"({"spec":{"suspend":false}})");
  cluster.pass(seconds(5));
  CHECK(cluster.count(kube::jobs()) == 0);
  cluster.pass(minutes(1));

  CHECK(cluster.names(kube::jobs()) == job(5));
}

TEST_CASE("the schedule applies in timeZone") {
  Ticking cluster(every_minute(R"(,"timeZone":"Asia/Kolkata")", "30 6 * * *"));

  cluster.pass(minutes(61));

  CHECK(cluster.status("lastScheduleTime") == "2026-01-01T01:00:00Z");
  CHECK(cluster.value(kube::jobs(), job(59),
                      {"metadata", "annotations", "batch.kubernetes.io/cronjob-scheduled-timestamp"}) ==
        "2026-01-01T06:30:00+05:30");
}

TEST_CASE("a schedule without a time starts nothing") {
  Ticking cluster(every_minute("", "0 0 31 2 *"));

  cluster.pass(minutes(5));

  CHECK(cluster.count(kube::jobs()) == 0);
}

}  // namespace
}  // namespace keelson::sandbox
