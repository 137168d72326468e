// A CronJob's reconciler must not act for a later object of its name, on Jobs of other owners, or during its deletion.
#include <catch2/catch_test_macros.hpp>

#include "keelson/schema/time.hpp"
#include "src/kinds/cronjob/cronjob.hpp"
#include "test/unit/controller/reconciler_world.hpp"

namespace keelson::testing {
namespace {

using namespace std::chrono_literals;

const kube::Key kWeb("default", "web");

// A CronJob that runs every minute and is an hour old: a run is due. `metadata` and `spec`: further members, with a
// comma before them.
std::string web(const std::string& uid, const std::string& metadata = "", const std::string& spec = "") {
  return R"({"apiVersion":"batch.tutorial.kubebuilder.io/v1","kind":"CronJob","metadata":{"name":"web",)"
         R"("namespace":"default","uid":")" +
         uid + R"(","resourceVersion":"7","generation":1,"creationTimestamp":"2025-12-31T23:00:00Z")" + metadata +
         R"(},"spec":{"schedule":"*/1 * * * *")" + spec +
         R"(,"jobTemplate":{"spec":{"template":{"spec":{"restartPolicy":"Never"}}}}}})";
}

std::string job(const std::string& name, const std::string& controller, const std::string& status = "{}") {
  return R"({"apiVersion":"batch/v1","kind":"Job","metadata":{"name":")" + name +
         R"(","namespace":"default","uid":"uid-)" + name +
         R"(","resourceVersion":"8","ownerReferences":[{"apiVersion":"batch.tutorial.kubebuilder.io/v1",)"
         R"("kind":"CronJob","name":"web","uid":"u-1","controller":)" +
         controller + R"(}]},"status":)" + status + "}";
}

std::string completed(const std::string& name) {
  return job(name, "true",
             R"({"startTime":"2025-12-31T23:10:00Z","conditions":[{"type":"Complete","status":"True"}]})");
}

struct ReconciledCronJob : ReconcilerWorld {
  ReconciledCronJob() : ReconcilerWorld(kinds::cronjob()) {}
  std::size_t created() const { return bodies(kube::Verb::kPatch, kube::jobs()).size(); }
};

TEST_CASE("a due run is started for the CronJob that was read, not for a later object of its name") {
  struct Row {
    const char* what;
    std::optional<std::string> stored;
    std::size_t created;
  };
  const std::vector<Row> rows{
      {"as it was read", web("u-1"), 1}, {"another life", web("u-2"), 0}, {"gone", std::nullopt, 0}};
  for (const auto& row : rows) {
    INFO(row.what);
    ReconciledCronJob world;
    world.know(kube::resource_of<kinds::CronJob>(), web("u-1"));
    world.server.clear();
    if (row.stored) world.change_behind_the_cache(kube::resource_of<kinds::CronJob>(), *row.stored);

    REQUIRE(world.reconcile(kWeb));

    CHECK(world.created() == row.created);
    CHECK((world.writes() > 0) == (row.created > 0));
  }
}

TEST_CASE("C11, C35, K1: a Job that the CronJob owns without being its controller is not one of its runs") {
  ReconciledCronJob world;
  world.know(kube::resource_of<kinds::CronJob>(), web("u-1", "", R"(,"concurrencyPolicy":"Forbid")"));
  world.know(kube::jobs(), job("of-another", "false"));

  REQUIRE(world.reconcile(kWeb));

  CHECK(world.created() == 1);
}

TEST_CASE("C15: old Jobs are deleted by their uid, and not while the CronJob is being deleted") {
  for (const std::string deletion : {"", R"(,"deletionTimestamp":"2025-12-31T23:59:00Z","finalizers":["a/b"])"}) {
    INFO(deletion);
    ReconciledCronJob world;
    world.know(kube::resource_of<kinds::CronJob>(), web("u-1", deletion, R"(,"successfulJobsHistoryLimit":1)"));
    for (const auto* name : {"a", "b", "c"}) world.know(kube::jobs(), completed(name));

    REQUIRE(world.reconcile(kWeb));

    auto deletions = world.bodies(kube::Verb::kDelete, kube::jobs());
    REQUIRE(deletions.size() == (deletion.empty() ? 2 : 0));
    for (std::size_t i = 0; i < deletions.size(); ++i) {
      auto options = json::Document::parse(deletions[i]);
      REQUIRE(options);
      CHECK(options->root().at({"preconditions", "uid"}).string() == (i == 0 ? "uid-a" : "uid-b"));
      CHECK(options->root().find("propagationPolicy").string() == "Background");
    }
  }
}

TEST_CASE("only the time of the last run is read from a status that cannot be decoded") {
  struct Row {
    std::string status;
    std::size_t created;
  };
  const std::vector<Row> rows{
      {R"({"active":"none"})", 1},
      {R"({"active":"none","lastScheduleTime":"2025-12-31T23:58:00Z"})", 1},
      {R"({"active":"none","lastScheduleTime":"2026-01-01T00:00:00Z"})", 0},
  };
  for (const auto& row : rows) {
    INFO(row.status);
    ReconciledCronJob world;
    auto with_status = web("u-1");
    with_status.insert(with_status.size() - 1, R"(,"status":)" + row.status);
    world.know(kube::resource_of<kinds::CronJob>(), with_status);

    REQUIRE(world.reconcile(kWeb));

    CHECK(world.created() == row.created);
  }
}

TEST_CASE(
    "a status that cannot be written is sent once in a pass, so that its Events are recorded after the next try") {
  ReconciledCronJob world;
  world.know(kube::resource_of<kinds::CronJob>(), web("u-1"));
  const auto answer = world.client.answer;
  world.client.answer = [&](const kube::ApiRequest& request) -> Result<kube::ApiReply> {
    if (request.subresource == "status") return status_error(500, "InternalError");
    return answer(request);
  };

  CHECK_FALSE(world.reconcile(kWeb));

  CHECK(world.bodies(kube::Verb::kPatch, kube::resource_of<kinds::CronJob>()).size() == 1);
}

TEST_CASE("C37: the plan is computed again if the cache becomes current while a missing Job is read") {
  ReconciledCronJob world;
  const auto cronjobs = kube::resource_of<kinds::CronJob>();
  auto with_status = web("u-1", "", R"(,"concurrencyPolicy":"Forbid")");
  with_status.insert(
      with_status.size() - 1,
      R"(,"status":{"active":[{"apiVersion":"batch/v1","kind":"Job","name":"gone","namespace":"default","uid":"x"}]})");
  world.know(cronjobs, with_status);
  // Another CronJob is reconciled first, so that the informers know which version they have to pass.
  auto other = web("u-9");
  other.replace(other.find(R"("web")"), 5, R"("other")");
  world.know(cronjobs, other);
  REQUIRE(world.reconcile({"default", "other"}));
  world.client.requests.clear();
  // The former leader has started a run that the cache does not have yet.
  world.change_behind_the_cache(kube::jobs(), job("active", "true"));
  const auto answer = world.client.answer;
  world.client.answer = [&](const kube::ApiRequest& request) {
    if (request.verb == kube::Verb::kGet && request.resource == kube::jobs()) {
      world.cache.of(kube::jobs()).observe_write(object(job("active", "true")));
      world.cache.of(kube::jobs()).version = world.cache.of(cronjobs).version = 2000;
    }
    return answer(request);
  };

  (void)world.reconcile(kWeb).has_value();

  CHECK(world.created() == 0);
}

TEST_CASE("K12: the delay of a Job's creation is observed in seconds") {
  ReconciledCronJob world;
  world.know(kube::resource_of<kinds::CronJob>(), web("u-1"));
  world.loop.run(async::sleep_for(world.loop.clock(), 7s));

  REQUIRE(world.reconcile(kWeb));

  auto text = world.registry.text();
  INFO(text);
  CHECK(text.find("cronjob_controller_job_creation_skew_duration_seconds_sum 7\n") != std::string::npos);
  CHECK(text.find("cronjob_controller_job_creation_skew_duration_seconds_count 1\n") != std::string::npos);
  CHECK(text.find("skew_duration_seconds_bucket{le=\"4\"} 0\n") != std::string::npos);
  CHECK(text.find("skew_duration_seconds_bucket{le=\"8\"} 1\n") != std::string::npos);
}

}  // namespace
}  // namespace keelson::testing
