#include "cronjob/cronjob_controller.hpp"

#include <algorithm>

#include "cronjob/cronjob_defaulter.hpp"
#include "cronjob/cronjob_types.hpp"
#include "cronjob/cronjob_validator.hpp"
#include "keelson/api/batch/v1/job.hpp"
#include "keelson/cron/schedule.hpp"
#include "keelson/operator.hpp"
// +scaffold:includes

namespace cronjob {
using namespace keelson;
using batch::v1::Job;

namespace {

bool has_ended(const Job& job, std::string_view how) {
  const auto& conditions = job.status.conditions;
  return std::any_of(conditions.begin(), conditions.end(),
                     [&](const auto& condition) { return condition.type == how && condition.status == "True"; });
}

std::vector<Job> ended_jobs(const std::vector<Job>& jobs, std::string_view how) {
  std::vector<Job> ended;
  for (const auto& job : jobs) {
    if (has_ended(job, how)) ended.push_back(job);
  }
  // Names end with the time of the slot.
  std::sort(ended.begin(), ended.end(), [](const auto& a, const auto& b) { return a.metadata.name < b.metadata.name; });
  return ended;
}

// The name follows from the slot, so a slot never has two Jobs.
Job job_of(const CronJob& cronjob, std::chrono::sys_seconds slot) {
  Job job{.metadata = cronjob.spec.job_template.metadata, .spec = cronjob.spec.job_template.spec};
  job.metadata.name = cronjob.name() + "-" + std::to_string(slot.time_since_epoch().count());
  return job;
}

Task<void> clean_up(std::vector<Job> ended, std::int32_t limit, Pass<CronJob>& pass) {
  const auto surplus = static_cast<std::ptrdiff_t>(ended.size()) - limit;
  for (std::ptrdiff_t i = 0; i < surplus; ++i) KEELSON_CO_TRY(co_await pass.remove(ended[static_cast<std::size_t>(i)]));
  co_return Result<void>();
}

Task<void> run(const CronJob& cronjob, std::chrono::sys_seconds slot, const std::vector<Job>& active,
               Pass<CronJob>& pass) {
  const auto policy = cronjob.spec.concurrency_policy.value_or("Allow");
  if (policy == "Forbid" && !active.empty()) co_return Result<void>();
  if (policy == "Replace") {
    for (const auto& job : active) KEELSON_CO_TRY(co_await pass.remove(job));
  }
  KEELSON_CO_TRY(co_await pass.create(job_of(cronjob, slot)));
  pass.status().last_schedule_time = slot;
  // Before the history is cleaned up, so that a slot whose Job is gone does not run again.
  KEELSON_CO_TRY(co_await pass.write_status());
  co_return Result<void>();
}

Reconciled reconcile(const CronJob& cronjob, Pass<CronJob>& pass) {
  auto schedule = cron::Schedule::parse(cronjob.spec.schedule);
  if (!schedule) {
    pass.stalled("InvalidSchedule", schedule.error().text);
    co_return done();
  }
  KEELSON_CO_TRY(co_await pass.consistent_read<Job>());
  KEELSON_CO_LET(const auto jobs, pass.children<Job>());
  std::vector<Job> active;
  for (const auto& job : jobs) {
    if (!has_ended(job, "Complete") && !has_ended(job, "Failed")) active.push_back(job);
  }
  pass.status().active.clear();
  for (const auto& job : active) pass.status().active.push_back(job.metadata.name);
  pass.ready("Scheduled", "Jobs are started as the schedule says.");

  const auto now = std::chrono::floor<std::chrono::seconds>(pass.clock.wall_now());
  auto last =
      cronjob.status.last_schedule_time ? *cronjob.status.last_schedule_time : *cronjob.metadata.creation_timestamp;
  const auto since = std::chrono::floor<std::chrono::seconds>(last);
  const auto missed = schedule->missed(since, now);
  const auto deadline = cronjob.spec.starting_deadline_seconds;
  const bool is_late = missed && deadline && missed->latest + std::chrono::seconds(*deadline) < now;
  if (missed && !is_late && !cronjob.spec.suspend.value_or(false)) {
    KEELSON_CO_TRY(co_await run(cronjob, missed->latest, active, pass));
  }
  KEELSON_CO_TRY(
      co_await clean_up(ended_jobs(jobs, "Complete"), cronjob.spec.successful_jobs_history_limit.value_or(3), pass));
  KEELSON_CO_TRY(
      co_await clean_up(ended_jobs(jobs, "Failed"), cronjob.spec.failed_jobs_history_limit.value_or(1), pass));
  const auto next = schedule->next(now);
  if (!next || cronjob.spec.suspend.value_or(false)) co_return done();
  co_return requeue_after(*next - now);
}

}  // namespace

controller::Definition cronjob() {
  auto definition = controller_for<CronJob>(reconcile);
  definition.owns<Job>();
  add_defaulter(definition);
  add_validator(definition);
  // +scaffold:definition
  return definition;
}

}  // namespace cronjob
