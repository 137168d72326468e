// The arithmetic that decides when a CronJob runs, as tables.
#include "src/kinds/cronjob/cronjob_policy.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/schema/time.hpp"

namespace keelson::kinds {
namespace {

using namespace std::chrono_literals;

async::WallTime at(const std::string& text) {
  auto time = kube::parse_time(text);
  REQUIRE(time.has_value());
  return *time;
}

Slot slot(const std::string& text) { return std::chrono::floor<std::chrono::seconds>(at(text)); }

// Created at 10:00, every hour.
CronJobFacts hourly() {
  CronJobFacts facts;
  facts.name = "web";
  facts.created = slot("2026-01-01T10:00:00Z");
  facts.spec.schedule = "0 * * * *";
  return facts;
}

JobFacts job(const std::string& name, JobFacts::End end = JobFacts::End::kNone, const std::string& of_slot = "") {
  JobFacts facts;
  facts.reference = {"batch/v1", "Job", name, "default", "uid-" + name};
  facts.end = end;
  if (!of_slot.empty()) facts.slot = slot(of_slot);
  return facts;
}

CronJobPlan plan(const CronJobFacts& facts, const std::string& now) {
  return plan_cronjob(facts, cron::Zone::utc(), at(now));
}

TEST_CASE("C17, C20: the latest slot runs, and the next reconcile is at the slot after it") {
  struct Row {
    const char* last;  // lastScheduleTime; null: none
    const char* now;
    const char* slot;  // null: nothing to run
    const char* next;
  };
  const Row rows[] = {
      {nullptr, "2026-01-01T10:00:00Z", nullptr, "2026-01-01T11:00:00Z"},
      {nullptr, "2026-01-01T10:59:59.999Z", nullptr, "2026-01-01T11:00:00Z"},
      {nullptr, "2026-01-01T11:00:00Z", "2026-01-01T11:00:00Z", "2026-01-01T12:00:00Z"},
      {nullptr, "2026-01-01T11:00:00.1Z", "2026-01-01T11:00:00Z", "2026-01-01T12:00:00Z"},
      {nullptr, "2026-01-01T14:30:00Z", "2026-01-01T14:00:00Z", "2026-01-01T15:00:00Z"},
      {"2026-01-01T11:00:00Z", "2026-01-01T11:00:00.1Z", nullptr, "2026-01-01T12:00:00Z"},
      {"2026-01-01T11:00:00Z", "2026-01-01T13:00:01Z", "2026-01-01T13:00:00Z", "2026-01-01T14:00:00Z"},
      // The clock was set back: no slot runs twice.
      {"2026-01-01T13:00:00Z", "2026-01-01T11:30:00Z", nullptr, "2026-01-01T14:00:00Z"},
      {"2026-01-01T13:00:00Z", "2025-01-01T00:00:00Z", nullptr, "2026-01-01T14:00:00Z"},
      // The clock was set forward: a single run starts.
      {"2026-01-01T13:00:00Z", "2026-01-03T13:30:00Z", "2026-01-03T13:00:00Z", "2026-01-03T14:00:00Z"},
  };
  for (const auto& row : rows) {
    INFO((row.last != nullptr ? row.last : "-") << " now " << row.now);
    auto facts = hourly();
    if (row.last != nullptr) facts.status.last_schedule_time = at(row.last);
    auto made = plan(facts, row.now);
    CHECK(made.slot == (row.slot != nullptr ? std::optional(slot(row.slot)) : std::nullopt));
    CHECK(made.next == slot(row.next));
    CHECK(made.runs() == (row.slot != nullptr));
  }
}

TEST_CASE("C13, C30: a slot that the status, a Job or the process has recorded does not run again") {
  auto facts = hourly();
  auto now = "2026-01-01T12:30:00Z";
  REQUIRE(plan(facts, now).slot == slot("2026-01-01T12:00:00Z"));

  auto by_status = facts;
  by_status.status.last_schedule_time = at("2026-01-01T12:00:00Z");
  CHECK_FALSE(plan(by_status, now).slot);
  auto by_job = facts;
  by_job.jobs = {job("a", JobFacts::End::kComplete, "2026-01-01T12:00:00Z"), job("b")};
  CHECK_FALSE(plan(by_job, now).slot);
  auto by_process = facts;
  by_process.ran = slot("2026-01-01T12:00:00Z");
  CHECK_FALSE(plan(by_process, now).slot);

  by_status.jobs = {job("a", JobFacts::End::kComplete, "2026-01-01T11:00:00Z")};
  CHECK(last_slot(by_status) == slot("2026-01-01T12:00:00Z"));
  CHECK_FALSE(last_slot(facts));
}

TEST_CASE("C2, C19: a run that would start later than its deadline is skipped") {
  struct Row {
    std::int64_t deadline;
    const char* now;
    bool too_late;
  };
  const Row rows[] = {
      {60, "2026-01-01T11:01:00Z", false},   {60, "2026-01-01T11:01:00.001Z", true},
      {0, "2026-01-01T11:00:00Z", false},    {0, "2026-01-01T11:00:00.1Z", true},
      {3600, "2026-01-01T11:59:59Z", false}, {std::numeric_limits<std::int64_t>::max(), "2026-01-01T11:59:59Z", false},
  };
  for (const auto& row : rows) {
    INFO(row.deadline << " s, now " << row.now);
    auto facts = hourly();
    facts.spec.starting_deadline_seconds = row.deadline;
    auto made = plan(facts, row.now);
    CHECK(made.slot == slot("2026-01-01T11:00:00Z"));
    CHECK(made.too_late == row.too_late);
    CHECK(made.runs() == !row.too_late);
    CHECK(made.next == slot("2026-01-01T12:00:00Z"));
  }
}

TEST_CASE("C31: more than a hundred missed slots cause a warning, and the latest one runs") {
  auto facts = hourly();
  facts.spec.schedule = "* * * * *";

  auto hundred = plan(facts, "2026-01-01T11:40:00Z");
  CHECK(hundred.slot == slot("2026-01-01T11:40:00Z"));
  CHECK_FALSE(hundred.too_many);
  auto more = plan(facts, "2026-01-01T11:41:00Z");
  CHECK(more.slot == slot("2026-01-01T11:41:00Z"));
  CHECK(more.too_many);
  CHECK(more.runs());

  facts.spec.starting_deadline_seconds = 600;  // only ten of them could still have run
  auto within = plan(facts, "2026-01-01T11:41:00Z");
  CHECK_FALSE(within.too_many);
  CHECK(within.runs());
}

TEST_CASE("years of missed slots take no more time than a few missed slots") {
  auto facts = hourly();
  facts.spec.schedule = "@every 1s";

  auto made = plan(facts, "2036-01-01T10:00:00.5Z");

  CHECK(made.slot == slot("2036-01-01T10:00:00Z"));
  CHECK(made.next == slot("2036-01-01T10:00:01Z"));
  CHECK(made.too_many);
}

TEST_CASE("C39: `@every` keeps its phase, with a deadline too") {
  auto facts = hourly();
  facts.spec.schedule = "@every 7m";
  facts.spec.starting_deadline_seconds = 300;
  facts.status.last_schedule_time = at("2026-01-01T10:07:00Z");

  auto made = plan(facts, "2026-01-01T10:30:00Z");

  CHECK(made.slot == slot("2026-01-01T10:28:00Z"));
  CHECK(made.runs());
  CHECK(made.next == slot("2026-01-01T10:35:00Z"));
}

TEST_CASE("C19: the concurrency policy is applied to the Jobs that are not finished") {
  struct Row {
    const char* policy;  // null: not given
    bool active;
    bool blocked;
    std::size_t replaced;
  };
  const Row rows[] = {
      {nullptr, true, false, 0},   {"Allow", true, false, 0},   {"Forbid", true, true, 0},
      {"Forbid", false, false, 0}, {"Replace", true, false, 1}, {"Replace", false, false, 0},
  };
  for (const auto& row : rows) {
    INFO((row.policy != nullptr ? row.policy : "-") << (row.active ? " active" : " finished"));
    auto facts = hourly();
    if (row.policy != nullptr) facts.spec.concurrency_policy = row.policy;
    facts.jobs = {job("old", row.active ? JobFacts::End::kNone : JobFacts::End::kFailed, "2026-01-01T11:00:00Z")};
    auto made = plan(facts, "2026-01-01T12:00:00.1Z");
    CHECK(made.slot == slot("2026-01-01T12:00:00Z"));
    CHECK(made.blocked == row.blocked);
    CHECK(made.runs() == !row.blocked);
    CHECK(made.replaced.size() == row.replaced);
    CHECK(made.next == slot("2026-01-01T13:00:00Z"));
  }
}

TEST_CASE("a Job that is being deleted blocks under Forbid and is not deleted again under Replace") {
  auto facts = hourly();
  facts.jobs = {job("old", JobFacts::End::kNone, "2026-01-01T11:00:00Z")};
  facts.jobs[0].deleting = true;

  facts.spec.concurrency_policy = "Forbid";
  CHECK(plan(facts, "2026-01-01T12:00:00Z").blocked);
  facts.spec.concurrency_policy = "Replace";
  auto made = plan(facts, "2026-01-01T12:00:00Z");
  CHECK(made.replaced.empty());
  CHECK(made.runs());
}

TEST_CASE("C16, C36: a suspended CronJob, or one that is being deleted, runs nothing and is not requeued") {
  auto suspended = hourly();
  suspended.spec.suspend = true;
  auto made = plan(suspended, "2026-01-01T12:00:00Z");
  CHECK(made.suspended);
  CHECK_FALSE(made.slot);
  CHECK_FALSE(made.next);

  auto deleted = hourly();
  deleted.deleting = true;
  CHECK_FALSE(plan(deleted, "2026-01-01T12:00:00Z").slot);
  CHECK_FALSE(plan(deleted, "2026-01-01T12:00:00Z").next);
}

TEST_CASE("C18, C32, K6: an invalid schedule or time zone is reported with the text of Kubernetes") {
  struct Row {
    const char* schedule;
    const char* zone;
    const char* event;
    const char* note;
  };
  const Row rows[] = {
      {"bad", nullptr, "UnparseableSchedule",
       "unparseable schedule: \"bad\" : expected exactly 5 fields, found 1: [bad]"},
      {"0 * * * *", "Mars/Base", "UnknownTimeZone", "invalid timeZone: \"Mars/Base\": unknown time zone Mars/Base"},
      // C32
      {"59 23 31 2 *", nullptr, "InvalidSchedule",
       "invalid schedule: 59 23 31 2 * : time difference between two schedules is less than 1 second"},
  };
  for (const auto& row : rows) {
    INFO(row.schedule);
    auto facts = hourly();
    facts.spec.schedule = row.schedule;
    if (row.zone != nullptr) facts.spec.time_zone = row.zone;
    auto made = plan(facts, "2026-01-01T12:00:00Z");
    REQUIRE(made.problem);
    CHECK(made.problem->event == row.event);
    CHECK(made.problem->note == row.note);
    CHECK(made.problem->reason == "InvalidSchedule");
    CHECK_FALSE(made.slot);
    CHECK_FALSE(made.next);
  }
}

TEST_CASE("a schedule that fires rarely is valid") {
  auto facts = hourly();
  facts.spec.schedule = "0 0 29 2 *";

  auto made = plan(facts, "2026-01-01T12:00:00Z");

  CHECK_FALSE(made.problem);
  CHECK(made.next == slot("2028-02-29T00:00:00Z"));
}

TEST_CASE("C40: slots are in the time zone of the spec, or else of the process") {
  auto facts = hourly();
  facts.spec.schedule = "0 12 * * *";
  auto berlin = *cron::Zone::find("Europe/Berlin");

  CHECK(plan(facts, "2026-01-01T10:30:00Z").next == slot("2026-01-01T12:00:00Z"));
  CHECK(plan_cronjob(facts, berlin, at("2026-01-01T10:30:00Z")).next == slot("2026-01-01T11:00:00Z"));
  facts.spec.time_zone = "America/New_York";
  CHECK(plan_cronjob(facts, berlin, at("2026-01-01T10:30:00Z")).next == slot("2026-01-01T17:00:00Z"));
  facts.spec.schedule = "TZ=UTC 0 12 * * *";  // the zone in the schedule has precedence
  CHECK(plan_cronjob(facts, berlin, at("2026-01-01T10:30:00Z")).next == slot("2026-01-01T12:00:00Z"));
}

TEST_CASE("the next reconcile is never before its slot") {
  auto next = slot("2026-01-01T11:00:00Z");

  CHECK(time_until(next, at("2026-01-01T10:59:59.5Z")) == 600ms);
  CHECK(time_until(next, at("2026-01-01T11:00:05Z")) == 100ms);
  // Beyond the range of nanoseconds.
  auto facts = hourly();
  facts.spec.schedule = "@every 2562047h";
  auto far = plan(facts, "2026-01-01T10:59:59Z");
  REQUIRE(far.next);
  CHECK(time_until(*far.next, at("2026-01-01T10:59:59Z")) == std::chrono::hours(24 * 30));
}

TEST_CASE("a slot is accepted up to 5 minutes after the latest observed time") {
  struct Row {
    const char* now;
    const char* seen;
    const char* horizon;
  };
  const Row rows[] = {
      {"2026-01-01T12:00:00.9Z", "2026-01-01T12:00:00.9Z", "2026-01-01T12:05:00Z"},
      {"2026-01-01T12:00:00Z", "2026-01-01T11:00:00Z", "2026-01-01T12:05:00Z"},
      {"2026-01-01T12:00:00Z", "2026-01-01T14:00:00Z", "2026-01-01T14:05:00Z"},
      {"2026-01-01T12:00:00Z", "2026-01-02T12:00:00Z", "2026-01-02T12:05:00Z"},
      {"2026-01-01T12:00:00Z", "2026-01-02T12:00:01Z", "2026-01-02T12:05:00Z"},
      {"2026-01-01T12:00:00Z", "2099-01-01T00:00:00Z", "2026-01-02T12:05:00Z"},
  };
  for (const auto& row : rows) {
    INFO(row.now << " " << row.seen);
    CHECK(horizon_of(at(row.now), at(row.seen)) == slot(row.horizon));
  }
}

TEST_CASE("a slot too far in the future prevents no run: that of a Job is ignored, that of the status counts as now") {
  auto facts = hourly();
  facts.now = slot("2026-01-01T13:30:00Z");
  facts.horizon = slot("2026-01-01T13:35:00Z");
  facts.jobs = {job("a", JobFacts::End::kComplete, "2026-01-01T12:00:00Z"),
                job("b", JobFacts::End::kComplete, "2026-01-01T13:35:01Z"),
                job("c", JobFacts::End::kComplete, "2261-01-01T00:00:00Z"),
                job("d", JobFacts::End::kComplete, "1700-01-01T00:00:00Z")};
  CHECK(last_slot(facts) == slot("2026-01-01T12:00:00Z"));
  CHECK(plan(facts, "2026-01-01T13:30:00Z").slot == slot("2026-01-01T13:00:00Z"));

  facts.jobs.push_back(job("e", JobFacts::End::kComplete, "2026-01-01T13:35:00Z"));
  CHECK(last_slot(facts) == slot("2026-01-01T13:35:00Z"));
  facts.jobs.pop_back();

  for (const auto* time : {"2026-01-01T13:35:01Z", "2261-01-01T00:00:00Z"}) {
    facts.status.last_schedule_time = at(time);
    CHECK(last_slot(facts) == slot("2026-01-01T13:30:00Z"));
    auto planned = plan(facts, "2026-01-01T13:30:00Z");
    CHECK_FALSE(planned.slot);
    CHECK(planned.next == slot("2026-01-01T14:00:00Z"));
  }
  facts.status.last_schedule_time = at("2026-01-01T13:35:00Z");
  CHECK(last_slot(facts) == slot("2026-01-01T13:35:00Z"));
}

TEST_CASE("a last run centuries ago takes no more time than a recent one") {
  auto facts = hourly();
  facts.spec.schedule = "*/1 * * * *";
  facts.status.last_schedule_time = at("1700-01-01T00:00:00Z");

  auto planned = plan(facts, "2026-01-01T13:30:30Z");

  CHECK(planned.slot == slot("2026-01-01T13:30:00Z"));
  CHECK(planned.too_many);
}

}  // namespace
}  // namespace keelson::kinds
