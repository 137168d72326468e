// A user with permissions in one namespace, against the objects of another one: its claims count only in its own.
#include <catch2/catch_test_macros.hpp>

#include "src/kinds/cronjob/cronjob.hpp"
#include "test/sim/cronjob_world.hpp"
#include "test/sim/hikawa_stage.hpp"

namespace keelson::testing {
namespace {

using namespace std::chrono_literals;

// Members of metadata: an owner reference to an object of any namespace, and a finalizer against the garbage collector,
// which deletes objects with an owner in another namespace.
std::string claims(std::string_view api_version, std::string_view kind, std::string_view name, std::string_view uid) {
  std::string text = R"("finalizers":["test/held"],"ownerReferences":[{"apiVersion":")";
  text.append(api_version).append(R"(","kind":")").append(kind).append(R"(","name":")").append(name);
  return text.append(R"(","uid":")").append(uid).append(R"(","controller":true}])");
}

std::string uid_of(ClusterWithUser& world, const kube::Resource& resource, const kube::Key& key) {
  return std::string(world.get(resource, key).root().at({"metadata", "uid"}).string().value_or(""));
}

std::string foreign_job(const std::string& name, const std::string& metadata) {
  return R"({"metadata":{"name":")" + name + R"(",)" + metadata +
         R"(},"spec":{"suspend":true,"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}})";
}

void add_attackers_namespace(ClusterWithUser& world) {
  world.create({"", "v1", "Namespace", "namespaces", false}, "",
               R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"attacker"}})");
}

struct CronJobs : CronJobWorld {
  CronJobs() : CronJobWorld(1, {}) { add_attackers_namespace(*this); }
};

TEST_CASE("a Job in another namespace with the CronJob's UID neither stops it nor is changed by it") {
  CronJobs cluster;
  cluster.start_manager();
  cluster.create_cronjob("web", R"("schedule":"*/1 * * * *","concurrencyPolicy":"Forbid")");
  cluster.pass(70s);
  REQUIRE(cluster.made() == 1);
  auto uid = uid_of(cluster, kube::resource_of<kinds::CronJob>(), {"default", "web"});
  auto claim = claims("batch.tutorial.kubebuilder.io/v1", "CronJob", "web", uid);
  cluster.create(
      kube::jobs(), "attacker",
      foreign_job("a",
                  R"("annotations":{"batch.tutorial.kubebuilder.io/scheduled-at":"2099-01-01T00:00:00Z"},)" + claim));
  for (int i = 0; i < 10; ++i) cluster.create(kube::jobs(), "attacker", foreign_job("b" + std::to_string(i), claim));

  cluster.pass(3min);

  CHECK(cluster.made() == 4);
  auto cronjob = cluster.get(kube::resource_of<kinds::CronJob>(), {"default", "web"});
  CHECK(cronjob.root().at({"status", "lastScheduleTime"}).string() == "2026-01-01T00:04:00Z");
  CHECK(cronjob.root().at({"status", "activeJobs"}).integer() == 0);
}

std::string last_schedule_time(CronJobs& cluster) {
  auto cronjob = cluster.get(kube::resource_of<kinds::CronJob>(), {"default", "web"});
  return std::string(cronjob.root().at({"status", "lastScheduleTime"}).string().value_or("-"));
}

std::size_t events_of(CronJobs& cluster, const std::string& reason) {
  std::size_t count = 0;
  for (const auto& event : cluster.server.objects(kube::events())) {
    count += json::Document::parse(event.json())->root().find("reason").string() == reason ? 1 : 0;
  }
  return count;
}

void patch_status(CronJobs& cluster, const std::string& status) {
  cluster.loop.run([&]() -> boost::asio::awaitable<void> {
    kube::Key key("default", "web");
    auto patched = co_await kube::patch(cluster.server.client("user"), kube::resource_of<kinds::CronJob>(), key,
                                        kube::PatchType::kMerge, R"({"status":)" + status + "}", "status");
    CHECK(patched.has_value());
  });
}

TEST_CASE("Jobs in the CronJob's namespace with impossible slots do not stop its runs, and are reported once") {
  CronJobs cluster;
  cluster.start_manager();
  cluster.create_cronjob("web", R"("schedule":"*/1 * * * *")");
  auto uid = uid_of(cluster, kube::resource_of<kinds::CronJob>(), {"default", "web"});
  auto claim = claims("batch.tutorial.kubebuilder.io/v1", "CronJob", "web", uid);
  auto add = [&](const std::string& name, const std::string& time) {
    auto annotation = R"("annotations":{"batch.tutorial.kubebuilder.io/scheduled-at":")" + time + R"("},)";
    cluster.create(kube::jobs(), "default", foreign_job(name, annotation + claim));
  };
  cluster.pass(70s);
  for (const auto* time : {"2099-01-01T00:00:00Z", "2026-01-01T00:30:00Z", "1700-01-01T00:00:00Z"}) {
    add("a" + std::string(time, 4), time);
  }
  cluster.pass(10s);
  for (const auto* time : {"noon", "9999999-01-01T00:00:00Z", "-2026-01-01T00:00:00Z"}) {
    add("b" + std::string(1, time[0] == '-' ? 'm' : time[0]), time);
  }

  cluster.pass(4min);

  CHECK(cluster.made() == 5);
  CHECK(last_schedule_time(cluster) == "2026-01-01T00:05:00Z");
  // The three later ones may come in one pass or in several; none is reported again.
  auto lines = cluster.sink.count("ignoring schedule time of child job") +
               cluster.sink.count("unable to parse schedule time for child job");
  CHECK(lines >= 2);
  CHECK(lines <= 5);
  CHECK(events_of(cluster, "UnexpectedScheduleTime") == lines);
  cluster.pass(10min);
  CHECK(cluster.made() == 15);
  CHECK(cluster.sink.count("ignoring schedule time of child job") +
            cluster.sink.count("unable to parse schedule time for child job") ==
        lines);
}

TEST_CASE("a lastScheduleTime in the future or in an impossible year is repaired, and the CronJob runs again") {
  for (const std::string time : {"2099-01-01T00:00:00Z", "9999-12-31T00:00:00Z", "0001-01-01T00:00:00Z"}) {
    INFO(time);
    CronJobs cluster;
    cluster.create_cronjob("web", R"("schedule":"*/1 * * * *")");
    patch_status(cluster, R"({"lastScheduleTime":")" + time + R"(","activeJobs":0,"observedGeneration":1})");
    cluster.pass(30s);
    cluster.start_manager();
    cluster.pass(5s);

    CHECK(last_schedule_time(cluster).starts_with("2026-01-01T00:00:3"));
    CHECK(cluster.made() == 0);
    CHECK(events_of(cluster, "UnexpectedScheduleTime") == 1);
    cluster.pass(3min);
    CHECK(cluster.made() == 3);
    CHECK(last_schedule_time(cluster) == "2026-01-01T00:03:00Z");
    CHECK(events_of(cluster, "UnexpectedScheduleTime") == 1);
  }
}

TEST_CASE("lastScheduleTime of a status that cannot be decoded still prevents a second run of a slot") {
  CronJobs cluster;
  cluster.start_manager();
  cluster.create_cronjob("web", R"("schedule":"0 * * * *","successfulJobsHistoryLimit":0)");
  cluster.pass(1h + 30s);
  REQUIRE(cluster.made() == 1);
  cluster.crash_manager();
  patch_status(cluster, R"({"lastSuccessfulTime":"9999-12-31T00:00:00Z"})");

  cluster.start_manager();
  cluster.pass(10min);

  CHECK(cluster.made() == 1);
  CHECK(last_schedule_time(cluster) == "2026-01-01T01:00:00Z");
}

TEST_CASE("a lastSuccessfulTime in the future or in an impossible year is removed until a Job succeeds") {
  for (const std::string time : {"2099-01-01T00:00:00Z", "9999-12-31T00:00:00Z"}) {
    INFO(time);
    CronJobs cluster;
    cluster.create_cronjob("web", R"("schedule":"0 * * * *")");
    patch_status(cluster, R"({"lastSuccessfulTime":")" + time + "\"}");
    cluster.start_manager();
    cluster.pass(5s);
    const auto last_success = [&cluster] {
      auto cronjob = cluster.get(kube::resource_of<kinds::CronJob>(), {"default", "web"});
      return std::string(cronjob.root().at({"status", "lastSuccessfulTime"}).string().value_or("none"));
    };

    CHECK(last_success() == "none");
    const auto written = cluster.writes(kube::resource_of<kinds::CronJob>(), "status", 200);
    cluster.pass(30min);
    CHECK(cluster.writes(kube::resource_of<kinds::CronJob>(), "status", 200) == written);
    cluster.pass(40min);
    REQUIRE(cluster.made() == 1);
    CHECK(last_success().starts_with("2026-01-01T01:00:"));
  }
}

TEST_CASE(
    "a status with ten thousand active Jobs costs at most fifty GET requests a reconcile, none for an invalid name") {
  CronJobs cluster;
  cluster.create_cronjob("web", R"("schedule":"*/1 * * * *")");
  std::string active;
  for (const std::string name : {"", "..", "../../victim/jobs/x", "A", "-"}) {
    active += R"({"apiVersion":"batch/v1","kind":"Job","name":")" + name + R"(","namespace":"victim","uid":"u-)" +
              name + "\"},";
  }
  for (int i = 0; i < 10'000; ++i) {
    auto name = "j" + std::to_string(i);
    active += R"({"apiVersion":"batch/v1","kind":"Job","name":")" + name + R"(","namespace":"default","uid":"u-)" +
              name + "\"},";
  }
  active.pop_back();
  patch_status(cluster, R"({"activeJobs":5,"observedGeneration":1,"active":[)" + active + "]}");
  cluster.server.clear_log();
  cluster.start_manager();
  cluster.pass(10s);

  auto asked = cluster.server.count([](const sandbox::RequestInfo& request) {
    return request.user == "manager" && request.resource == kube::jobs() && request.verb == kube::Verb::kGet;
  });
  CHECK(asked <= 100);
  CHECK(asked >= 50);
  cluster.pass(1min);
  CHECK(cluster.made() == 1);
  auto cronjob = cluster.get(kube::resource_of<kinds::CronJob>(), {"default", "web"});
  CHECK(cronjob.root().at({"status", "active"}).size() <= 1);
}

TEST_CASE("a Zundoko in another namespace with the Hikawa's UID does not count as a word of its song") {
  HikawaStage stage;
  add_attackers_namespace(stage);
  stage.start_manager();
  stage.enter("h", R"(,"numZundokos":3,"sayKiyoshi":true)");
  stage.pass(100ms);
  auto uid = uid_of(stage, kube::resource_of<kinds::Hikawa>(), {"default", "h"});
  auto claim = claims("zundokokiyoshi.kaitoy.github.com/v1beta1", "Hikawa", "h", uid);
  for (int i = 1; i <= 5; ++i) {
    stage.create(
        kube::resource_of<kinds::Zundoko>(), "attacker",
        R"({"metadata":{"name":"h-zundoko-00)" + std::to_string(i) + R"(",)" + claim + R"(},"spec":{"say":"Zun"}})");
  }

  REQUIRE(stage.eventually([&] { return stage.has_kiyoshied("h"); }));

  CHECK(stage.field("h", {"status", "numZundokosSaid"}) == 3);
  auto first = stage.get(kube::resource_of<kinds::Zundoko>(), {"default", "h-zundoko-001"});
  CHECK_FALSE(first.root().is_null());
}

}  // namespace
}  // namespace keelson::testing
