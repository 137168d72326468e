// The status of a CronJob, and the Events about its changes.
#include "src/kinds/cronjob/cronjob_status.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <sstream>

#include "keelson/schema/time.hpp"
#include "test/support/conditions.hpp"
#include "test/support/data_rows.hpp"

namespace keelson::kinds {
namespace {

using End = JobFacts::End;
using testing::condition_text;

kube::Time at(const std::string& text) { return *kube::parse_time(text); }
Slot slot(const std::string& text) { return std::chrono::floor<std::chrono::seconds>(at(text)); }
const async::WallTime kNow = at("2026-01-01T12:00:05Z");

CronJobFacts facts_of(std::vector<JobFacts> jobs = {}) {
  CronJobFacts facts;
  facts.name = "web";
  facts.generation = 2;
  facts.created = slot("2026-01-01T00:00:00Z");
  facts.spec.schedule = "0 * * * *";
  facts.jobs = std::move(jobs);
  return facts;
}

JobFacts job(const std::string& name, End end, const std::string& time) {
  JobFacts facts;
  facts.reference = {"batch/v1", "Job", name, "default", "uid-" + name};
  facts.end = end;
  facts.slot = slot(time);
  facts.start_time = at(time);
  if (end == End::kComplete) facts.completion_time = at(time);
  return facts;
}

CronJobPlan with_problem() {
  CronJobPlan plan;
  plan.problem = ScheduleProblem{"UnparseableSchedule", "unparseable schedule: \"x\" : bad", "InvalidSchedule",
                                 "Failed to parse schedule: bad"};
  return plan;
}

CronJobPlan late() {
  CronJobPlan plan;
  plan.slot = slot("2026-01-01T11:00:00Z");
  plan.too_late = true;
  return plan;
}

std::string told(const std::vector<Announcement>& all) {
  std::string lines;
  for (const auto& one : all) lines += (one.is_warning ? "W " : "N ") + one.reason + ": " + one.note + "\n";
  return lines;
}

// A line for each: "running 11:59:05 without pods", "failed 12:00:00".
std::vector<JobFacts> jobs_in(const std::string& text) {
  std::vector<JobFacts> jobs;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string end;
    std::string time;
    words >> end >> time;
    const auto how = end == "failed" ? End::kFailed : end == "complete" ? End::kComplete : End::kNone;
    auto made = job("job-" + std::to_string(jobs.size()), how, "2026-01-01T" + time + "Z");
    made.lacks_pods = line.ends_with(" without pods");
    made.lacks_ready_pods = line.ends_with(" without ready pods");
    jobs.push_back(std::move(made));
  }
  return jobs;
}

TEST_CASE("C7: the conditions of a CronJob follow from the observed state") {
  const std::vector<std::string> conditions{"Ready", "Available", "Degraded", "Progressing", "Stalled"};
  std::vector<std::string> fields{"what", "jobs", "plan", "rejection"};
  fields.insert(fields.end(), conditions.begin(), conditions.end());
  for (const auto& row : testing::data_rows("test/unit/cronjob/cronjob_status.txt", fields)) {
    INFO(row.place() << " " << row["what"]);
    auto facts = facts_of(jobs_in(row["jobs"]));
    facts.spec.suspend = row["plan"] == "suspended";
    const auto plan = row["plan"] == "too late" ? late() : row["plan"] == "invalid" ? with_problem() : CronJobPlan();
    const auto rejection = row["rejection"].empty() ? std::nullopt : std::optional(row["rejection"]);

    const auto status = compute_cronjob_status(facts, plan, rejection, kNow);

    for (const auto& type : conditions) {
      INFO(type);
      CHECK(condition_text(status, type) == row[type]);
    }
    CHECK(condition_text(status, "Reconciling") == "-");
    CHECK(status.observed_generation == 2);
  }
}

TEST_CASE("C43: Degraded becomes False when the problem is fixed") {
  auto facts = facts_of();
  facts.status = compute_cronjob_status(facts, with_problem(), std::nullopt, kNow);

  auto status = compute_cronjob_status(facts, {}, std::nullopt, kNow + std::chrono::hours(1));

  CHECK(condition_text(status, "Degraded") == "False AsExpected");
  CHECK(condition_text(status, "Ready") == "True Scheduled");
  CHECK(condition_text(status, "Stalled") == "-");
  const auto* ready = kube::find_condition(status.conditions, "Ready");
  CHECK(ready->last_transition_time == at("2026-01-01T13:00:05Z"));
}

TEST_CASE("the computed status equals the written one while nothing changes") {
  auto facts =
      facts_of({job("a", End::kNone, "2026-01-01T12:00:00Z"), job("b", End::kComplete, "2026-01-01T11:00:00Z")});
  facts.status = compute_cronjob_status(facts, {}, std::nullopt, kNow);
  auto text = kube::encode(facts.status);
  auto document = json::Document::parse(text);
  auto stored = kube::decode<CronJobStatus>(document->root());

  REQUIRE(stored.has_value());
  CHECK(*stored == facts.status);
  CHECK(compute_cronjob_status(facts, {}, std::nullopt, kNow + std::chrono::hours(1)) == facts.status);
}

TEST_CASE(
    "C38 and C43: active references are sorted by name, without a resourceVersion, and limited, and all are counted") {
  auto facts =
      facts_of({job("web-2", End::kNone, "2026-01-01T12:00:00Z"), job("web-1", End::kNone, "2026-01-01T11:00:00Z")});

  auto status = compute_cronjob_status(facts, {}, std::nullopt, kNow);

  REQUIRE(status.active.size() == 2);
  CHECK(status.active[0].name == "web-1");
  CHECK(kube::encode(status).find("resourceVersion") == std::string::npos);
  facts.jobs.assign(limits::kActiveReferences + 5, job("x", End::kNone, "2026-01-01T12:00:00Z"));
  status = compute_cronjob_status(facts, {}, std::nullopt, kNow);
  CHECK(status.active.size() == limits::kActiveReferences);
  CHECK(status.active_jobs == static_cast<std::int32_t>(limits::kActiveReferences + 5));
}

TEST_CASE("lastScheduleTime and lastSuccessfulTime only move forward") {
  auto facts = facts_of({job("a", End::kComplete, "2026-01-01T11:00:00Z")});
  auto status = compute_cronjob_status(facts, {}, std::nullopt, kNow);
  CHECK(status.last_schedule_time == at("2026-01-01T11:00:00Z"));
  CHECK(status.last_successful_time == at("2026-01-01T11:00:00Z"));

  facts.status.last_schedule_time = at("2026-01-01T12:00:00Z");
  facts.status.last_successful_time = at("2026-01-01T12:00:03Z");
  status = compute_cronjob_status(facts, {}, std::nullopt, kNow);
  CHECK(status.last_schedule_time == at("2026-01-01T12:00:00Z"));
  CHECK(status.last_successful_time == at("2026-01-01T12:00:03Z"));
}

TEST_CASE("C14, C41, K4: ended, missing and unexpected Jobs are reported by Events") {
  auto facts =
      facts_of({job("done", End::kComplete, "2026-01-01T10:00:00Z"), job("bad", End::kFailed, "2026-01-01T11:00:00Z"),
                job("new", End::kNone, "2026-01-01T12:00:00Z"), job("strange", End::kNone, "2026-01-01T12:00:00Z")});
  facts.jobs[3].slot.reset();
  auto gone = job("gone", End::kNone, "2026-01-01T09:00:00Z").reference;
  auto replaced = job("replaced", End::kNone, "2026-01-01T08:00:00Z").reference;
  facts.status.active = {facts.jobs[0].reference, facts.jobs[1].reference, gone, replaced};
  facts.status.observed_generation = 2;
  auto status = compute_cronjob_status(facts, {}, std::nullopt, kNow);
  facts.status.conditions = status.conditions;

  CHECK(told(news(facts, {}, status, {replaced})) ==
        "N SawCompletedJob: Saw completed job: done, condition: Complete\n"
        "N SawCompletedJob: Saw completed job: bad, condition: Failed\n"
        "N MissingJob: Active job went missing: gone\n"
        "W UnexpectedJob: Saw a job that the controller did not create or forgot: strange\n");
}

TEST_CASE("K6, K8: a problem that prevents runs is reported by an Event once, when it begins") {
  struct Row {
    CronJobPlan plan;
    const char* told;
  };
  const Row rows[] = {
      {with_problem(), "W UnparseableSchedule: unparseable schedule: \"x\" : bad\n"},
      {late(), "W MissSchedule: Missed scheduled time to start a job: Thu, 01 Jan 2026 11:00:00 +0000\n"},
  };
  for (const auto& row : rows) {
    auto facts = facts_of();
    facts.status.observed_generation = 2;
    auto status = compute_cronjob_status(facts, row.plan, std::nullopt, kNow);
    CHECK(told(news(facts, row.plan, status, {})) == row.told);
    facts.status = status;
    CHECK(told(news(facts, row.plan, status, {})).empty());
  }
}

TEST_CASE("K7: a zone in the schedule causes a warning once for each generation") {
  auto facts = facts_of();
  facts.spec.schedule = "TZ=UTC 0 0 * * *";
  facts.status = compute_cronjob_status(facts, {}, std::nullopt, kNow);
  auto status = facts.status;

  CHECK(news(facts, {}, status, {}).empty());
  facts.status.observed_generation = 1;
  CHECK(told(news(facts, {}, status, {})) ==
        "W UnsupportedSchedule: CRON_TZ or TZ used in schedule \"TZ=UTC 0 0 * * *\" is not officially supported, see "
        "https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details\n");
}

TEST_CASE("the conditions of a CronJob that is being deleted are unchanged") {
  auto facts = facts_of({job("a", End::kNone, "2026-01-01T12:00:00Z")});
  facts.status = compute_cronjob_status(facts, with_problem(), std::nullopt, kNow);
  facts.deleting = true;

  auto status = compute_cronjob_status(facts, {}, std::nullopt, kNow);

  CHECK(status.conditions == facts.status.conditions);
  CHECK(status.active.size() == 1);
}

TEST_CASE("a lastScheduleTime in the future is corrected and reported by an Event") {
  auto facts = facts_of({job("a", End::kComplete, "2026-01-01T11:00:00Z")});
  facts.now = slot("2026-01-01T12:00:05Z");
  facts.horizon = slot("2026-01-01T12:05:05Z");
  facts.status.last_schedule_time = at("2099-01-01T00:00:00Z");

  auto status = compute_cronjob_status(facts, {}, std::nullopt, kNow);

  CHECK(status.last_schedule_time == at("2026-01-01T12:00:05Z"));
  CHECK(told(news(facts, {}, status, {}))
            .starts_with("W UnexpectedScheduleTime: status.lastScheduleTime was in the future: 2099-01-01T00:00:00Z; "
                         "it is ignored, and "
                         "runs continue from 2026-01-01T12:00:05Z\n"));
  facts.status = status;
  CHECK(compute_cronjob_status(facts, {}, std::nullopt, kNow) == status);
  CHECK(told(news(facts, {}, status, {})).find("Unexpected") == std::string::npos);
}

TEST_CASE(
    "a lastSuccessfulTime in the future is replaced by the latest completion of the known Jobs, if there is one") {
  auto facts =
      facts_of({job("a", End::kComplete, "2026-01-01T10:00:00Z"), job("b", End::kComplete, "2026-01-01T11:00:00Z"),
                job("ahead", End::kComplete, "2098-01-01T00:00:00Z")});
  facts.now = slot("2026-01-01T12:00:05Z");
  facts.horizon = slot("2026-01-01T12:05:05Z");
  facts.status.last_successful_time = at("2099-01-01T00:00:00Z");

  CHECK(compute_cronjob_status(facts, {}, std::nullopt, kNow).last_successful_time == at("2026-01-01T11:00:00Z"));
  facts.jobs.clear();
  CHECK_FALSE(compute_cronjob_status(facts, {}, std::nullopt, kNow).last_successful_time);
}

TEST_CASE("a failed Job is named with the reason and the time of its failure, also after it is deleted") {
  auto older = job("a", End::kFailed, "2026-01-01T10:00:00Z");
  older.failure_time = at("2026-01-01T10:05:00Z");
  auto newer = job("b", End::kFailed, "2026-01-01T11:00:00Z");
  newer.failure_time = at("2026-01-01T11:05:00Z");
  newer.failure = "BackoffLimitExceeded: Job has reached the specified backoff limit";
  auto facts = facts_of({newer, older});
  const std::string message =
      "Job b failed at 2026-01-01T11:05:00Z: BackoffLimitExceeded: Job has reached the specified backoff limit";

  facts.status = compute_cronjob_status(facts, {}, std::nullopt, kNow);
  CHECK(kube::find_condition(facts.status.conditions, "Degraded")->message == message);
  CHECK(kube::find_condition(facts.status.conditions, "Ready")->message == message);

  facts.jobs.clear();
  const auto later = compute_cronjob_status(facts, {}, std::nullopt, kNow);
  CHECK(later == facts.status);
}

TEST_CASE("Jobs that begin to fail, that get no pods, or whose pods do not start have a single Warning") {
  auto facts = facts_of({job("a", End::kFailed, "2026-01-01T11:00:00Z")});
  const auto first = compute_cronjob_status(facts, {}, std::nullopt, kNow);
  CHECK(told(news(facts, {}, first, {})) == "W JobsFailed: Job a failed\n");

  facts.status = first;
  facts.jobs.push_back(job("b", End::kFailed, "2026-01-01T12:00:00Z"));
  const auto second = compute_cronjob_status(facts, {}, std::nullopt, kNow);
  CHECK(kube::find_condition(second.conditions, "Degraded")->message == "Job b failed");
  CHECK(told(news(facts, {}, second, {})).empty());

  facts.status = second;
  facts.jobs.push_back(job("c", End::kNone, "2026-01-01T11:30:00Z"));
  facts.jobs.back().lacks_pods = true;
  const auto third = compute_cronjob_status(facts, {}, std::nullopt, kNow);
  CHECK(told(news(facts, {}, third, {})).starts_with("W NoPods: Job c has no pod since 2026-01-01T11:30:00Z"));

  facts.status = third;
  facts.jobs.back().lacks_pods = false;
  facts.jobs.back().lacks_ready_pods = true;
  const auto fourth = compute_cronjob_status(facts, {}, std::nullopt, kNow);
  CHECK(told(news(facts, {}, fourth, {}))
            .starts_with("W PodsNotReady: Job c has no ready pod since 2026-01-01T11:30:00Z"));
  facts.status = fourth;
  CHECK(told(news(facts, {}, compute_cronjob_status(facts, {}, std::nullopt, kNow), {})).empty());
}

TEST_CASE("Degraded claims that nothing is wrong only while no Job is active") {
  const auto message = [](const CronJobFacts& facts) {
    return kube::find_condition(compute_cronjob_status(facts, {}, std::nullopt, kNow).conditions, "Degraded")->message;
  };
  CHECK(message(facts_of()) == "Nothing is wrong.");
  CHECK(message(facts_of({job("a", End::kNone, "2026-01-01T12:00:00Z")})) == "1 job(s) are currently active");
}

TEST_CASE("a Job without pods is checked again a minute after its start, and one without a ready pod after two") {
  auto facts = facts_of({job("a", End::kNone, "2026-01-01T12:00:00Z")});
  CHECK_FALSE(next_check(facts, kNow));
  facts.jobs[0].lacks_pods = true;
  CHECK(next_check(facts, kNow) == slot("2026-01-01T12:01:00Z"));
  CHECK_FALSE(next_check(facts, kNow + std::chrono::minutes(1)));
  facts.jobs[0].lacks_pods = false;
  facts.jobs[0].lacks_ready_pods = true;
  CHECK(next_check(facts, kNow) == slot("2026-01-01T12:02:00Z"));
}

TEST_CASE("a lastSuccessfulTime in the future does not end JobsFailed, nor does its removal") {
  auto facts = facts_of({job("a", End::kFailed, "2026-01-01T11:00:00Z")});
  facts.now = slot("2026-01-01T12:00:05Z");
  facts.horizon = slot("2026-01-01T12:05:05Z");
  facts.status = compute_cronjob_status(facts, {}, std::nullopt, kNow);
  REQUIRE(condition_text(facts.status, "Degraded") == "True JobsFailed");
  facts.jobs.clear();
  facts.status.last_successful_time = at("2099-01-01T00:00:00Z");

  facts.status = compute_cronjob_status(facts, {}, std::nullopt, kNow);

  CHECK(condition_text(facts.status, "Degraded") == "True JobsFailed");
  CHECK(condition_text(compute_cronjob_status(facts, {}, std::nullopt, kNow), "Degraded") == "True JobsFailed");
}

TEST_CASE("a completion time in the future does not count as a success") {
  auto facts = facts_of({job("a", End::kComplete, "2099-01-01T00:00:00Z")});
  facts.now = slot("2026-01-01T12:00:05Z");
  facts.horizon = slot("2026-01-01T12:05:05Z");

  auto status = compute_cronjob_status(facts, {}, std::nullopt, kNow);

  CHECK_FALSE(status.last_successful_time);
  CHECK_FALSE(status.last_schedule_time);
}

TEST_CASE("a success is a Job with both the condition Complete and a completionTime") {
  auto running = job("a", End::kNone, "2026-01-01T11:00:00Z");
  running.completion_time = at("2026-01-01T11:00:00Z");
  auto failed = job("b", End::kFailed, "2026-01-01T11:00:00Z");
  failed.completion_time = at("2026-01-01T11:00:00Z");
  auto timeless = job("c", End::kComplete, "2026-01-01T11:00:00Z");
  timeless.completion_time.reset();

  for (const auto& one : {running, failed, timeless}) {
    INFO(one.reference.name);
    CHECK_FALSE(compute_cronjob_status(facts_of({one}), {}, std::nullopt, kNow).last_successful_time);
  }
}

TEST_CASE("MissingJob Events of a forged active list are limited") {
  auto facts = facts_of();
  for (std::size_t i = 0; i < limits::kActiveReferences + 5; ++i) {
    auto name = "j" + std::to_string(i);
    facts.status.active.push_back({"batch/v1", "Job", name, "default", "uid-" + name});
  }

  auto all = news(facts, {}, compute_cronjob_status(facts, {}, std::nullopt, kNow), {});

  CHECK(std::ranges::count_if(all, [](const auto& one) { return one.reason == "MissingJob"; }) ==
        std::ptrdiff_t{limits::kActiveReferences});
}

}  // namespace
}  // namespace keelson::kinds
