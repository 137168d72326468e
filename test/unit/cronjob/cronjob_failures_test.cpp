// The report of a failed last Job in a CronJob's status, which must not depend on the Jobs that still exist.
#include <catch2/catch_test_macros.hpp>

#include "keelson/schema/time.hpp"
#include "src/kinds/cronjob/cronjob_status.hpp"
#include "test/support/conditions.hpp"

namespace keelson::kinds {
namespace {

using End = JobFacts::End;
using testing::condition_text;

kube::Time at(const std::string& text) { return *kube::parse_time(text); }
const async::WallTime kNow = at("2026-01-01T12:00:05Z");

JobFacts job(const std::string& name, End end, const std::string& time) {
  JobFacts facts;
  facts.reference = {"batch/v1", "Job", name, "default", "uid-" + name};
  facts.end = end;
  facts.start_time = at(time);
  (end == End::kComplete ? facts.completion_time : facts.failure_time) = at(time);
  return facts;
}

CronJobFacts facts_of(std::vector<JobFacts> jobs = {}) {
  CronJobFacts facts;
  facts.name = "web";
  facts.spec.schedule = "0 * * * *";
  facts.jobs = std::move(jobs);
  return facts;
}

CronJobPlan with_problem() {
  CronJobPlan plan;
  plan.problem = ScheduleProblem{"UnparseableSchedule", "bad", "InvalidSchedule", "Failed to parse schedule: bad"};
  return plan;
}

// A message names the last failed Job.
std::vector<kube::Condition> without_messages(std::vector<kube::Condition> conditions) {
  for (auto& condition : conditions) condition.message.clear();
  return conditions;
}

TEST_CASE("a failure is reported until a later Job succeeds, even if its Job is deleted") {
  const auto f1 = job("f1", End::kFailed, "2026-01-01T01:00:00Z");
  const auto s2 = job("s2", End::kComplete, "2026-01-01T02:00:00Z");
  const auto f3 = job("f3", End::kFailed, "2026-01-01T03:00:00Z");
  const auto s4 = job("s4", End::kComplete, "2026-01-01T04:00:00Z");
  auto timeless = f1;
  timeless.failure_time.reset();
  timeless.start_time.reset();
  auto only_began = f3;
  only_began.failure_time.reset();
  struct Row {
    const char* what;
    std::vector<std::vector<JobFacts>> seen;  // one pass after the other
    std::string failed;                       // a letter for each
  };
  const std::vector<Row> table{
      {"the success is cleaned up, the failure before it is retained", {{f1}, {f1, s2}, {f1}, {f1}}, "y n n n"},
      {"no failed Job is retained", {{f1}, {}, {}, {s2}, {}}, "y y y n n"},
      {"an older success is still there", {{s2}, {s2, f3}, {s2}, {s2, s4}}, "n y y n"},
      {"failures in a row, the older one cleaned up", {{f1}, {f1, f3}, {f3}, {f3, s4}}, "y y y n"},
      {"a failure that is observed late", {{s2}, {s2, f1}}, "n n"},
      {"both at once", {{s2, f3}, {f1, s2}}, "y y"},
      {"without any time it counts while nothing has succeeded", {{timeless}, {timeless, s2}, {timeless}}, "y n n"},
      {"only the start time is known", {{s2, only_began}, {s4, only_began}}, "y n"},
  };
  for (const auto& row : table) {
    auto facts = facts_of();
    std::string failed;
    std::size_t changes = 0;
    for (const auto& jobs : row.seen) {
      facts.jobs = jobs;
      auto status = compute_cronjob_status(facts, {}, std::nullopt, kNow);
      auto answer = condition_text(status, "Degraded") == "True JobsFailed" ? "y" : "n";
      CHECK(condition_text(status, "Available") == (*answer == 'y' ? "False JobsFailed" : "True AllJobsCompleted"));
      if (without_messages(status.conditions) != without_messages(facts.status.conditions)) ++changes;
      failed += (failed.empty() ? "" : " ") + std::string(answer);
      facts.status = status;
    }
    INFO(row.what);
    CHECK(failed == row.failed);
    // The first status, and each one with another result: a deleted Job does not change it.
    std::size_t turns = 1;
    for (std::size_t i = 2; i < failed.size(); i += 2) turns += failed[i] != failed[i - 2] ? 1 : 0;
    CHECK(changes == turns);
  }
}

TEST_CASE("a failure is reported again after a suspension or an invalid schedule was reported instead") {
  auto facts = facts_of({job("f", End::kFailed, "2026-01-01T01:00:00Z")});
  facts.status = compute_cronjob_status(facts, {}, std::nullopt, kNow);
  facts.jobs.clear();

  facts.spec.suspend = true;
  facts.status = compute_cronjob_status(facts, {}, std::nullopt, kNow);
  CHECK(condition_text(facts.status, "Available") == "False Suspended");
  CHECK(condition_text(facts.status, "Degraded") == "True JobsFailed");
  facts.spec.suspend = false;
  facts.status = compute_cronjob_status(facts, with_problem(), std::nullopt, kNow);
  CHECK(condition_text(facts.status, "Degraded") == "True InvalidSchedule");
  facts.status = compute_cronjob_status(facts, {}, std::nullopt, kNow);
  CHECK(condition_text(facts.status, "Degraded") == "True JobsFailed");
}

}  // namespace
}  // namespace keelson::kinds
