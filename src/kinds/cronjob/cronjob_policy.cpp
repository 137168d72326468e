#include "src/kinds/cronjob/cronjob_policy.hpp"

#include <algorithm>

#include "keelson/detail/base/go_text.hpp"

namespace keelson::kinds {
using namespace std::chrono_literals;

namespace {

// Kubernetes warns about more; the original stops scheduling forever.
constexpr std::size_t kManyMissed = 100;
// A longer deadline counts as this one, so that sums of times fit into an int64 of nanoseconds.
constexpr std::chrono::seconds kLongestDeadline = std::chrono::hours(24 * 365 * 100);
// Timers may fire a little early by the wall clock; Kubernetes adds the same time.
constexpr auto kPad = 100ms;
// An early reconcile changes nothing, and a slot centuries away does not fit into nanoseconds.
constexpr std::chrono::seconds kLongestSleep = std::chrono::hours(24 * 30);
// The clock skew that Kubernetes tolerates elsewhere (kubeadm's certificates).
constexpr std::chrono::seconds kClockSkew = 5min;
// Covers a clock that was wrong by a time zone and is corrected; the time of a clock that was decades ahead is ignored.
constexpr std::chrono::seconds kClockSetBack = 24h;

Result<cron::Schedule> read_schedule(const CronJobSpec& spec, cron::Zone zone,
                                     std::optional<ScheduleProblem>& problem) {
  if (spec.time_zone) {
    auto found = cron::Zone::find(*spec.time_zone);
    if (!found) {
      auto name = base::quote_go(*spec.time_zone);
      problem = ScheduleProblem{"UnknownTimeZone", "invalid timeZone: " + name + ": " + found.error().text,
                                "InvalidSchedule", "Unknown time zone: " + name};
      return std::move(found.error());
    }
    zone = *found;
  }
  auto schedule = cron::Schedule::parse(spec.schedule, zone);
  if (!schedule) {
    const auto& why = schedule.error().text;
    problem =
        ScheduleProblem{"UnparseableSchedule", "unparseable schedule: " + base::quote_go(spec.schedule) + " : " + why,
                        "InvalidSchedule",
                        "Failed to parse schedule: Unparseable schedule " + base::quote_go(spec.schedule) + ": " + why};
  }
  return schedule;
}

std::chrono::seconds deadline_of(const CronJobSpec& spec) {
  auto seconds = std::clamp<std::int64_t>(*spec.starting_deadline_seconds, 0, kLongestDeadline.count());
  return std::chrono::seconds(seconds);
}

// Finds the latest slot in (earliest, now]; earlier missed slots are skipped.
void find_slot(const CronJobFacts& facts, Slot earliest, async::WallTime now, CronJobPlan& plan) {
  const auto& schedule = *plan.schedule;
  auto until = std::chrono::floor<std::chrono::seconds>(now);
  auto missed = schedule.missed(earliest, until, kManyMissed);
  if (missed) {
    plan.slot = missed->latest;
    plan.too_many = missed->count > kManyMissed;
  }
  // The next slot is computed from the slot and not from now, so that `@every` keeps its phase.
  plan.next = schedule.next(plan.slot.value_or(earliest));
  if (!plan.slot || !facts.spec.starting_deadline_seconds) return;
  auto deadline = deadline_of(facts.spec);
  plan.too_late = *plan.slot + deadline < now;
  // Only slots within the deadline count as missed.
  if (plan.too_many && until - deadline > earliest) {
    auto counted = schedule.missed(until - deadline, until, kManyMissed);
    plan.too_many = counted && counted->count > kManyMissed;
  }
}

void apply_concurrency_policy(const CronJobFacts& facts, CronJobPlan& plan) {
  auto policy = facts.spec.concurrency_policy.value_or(std::string(kAllow));
  for (const auto& job : facts.jobs) {
    if (job.end != JobFacts::End::kNone) continue;
    if (policy == kForbid) plan.blocked = true;
    if (policy == kReplace && !job.deleting) plan.replaced.push_back(job.reference);
  }
}

}  // namespace

Slot horizon_of(async::WallTime now, async::WallTime latest_seen) {
  auto floor = [](async::WallTime time) { return std::chrono::floor<std::chrono::seconds>(time); };
  return std::clamp(floor(latest_seen), floor(now), floor(now) + kClockSetBack) + kClockSkew;
}

bool is_ahead(const JobFacts& job, const CronJobFacts& facts) { return job.slot && *job.slot > facts.horizon; }

kube::Time believed(kube::Time stored, const CronJobFacts& facts) {
  return std::chrono::floor<std::chrono::seconds>(stored) > facts.horizon ? kube::Time(facts.now) : stored;
}

std::optional<Slot> last_slot(const CronJobFacts& facts) {
  std::optional<Slot> last = facts.ran;
  if (const auto& stored = facts.status.last_schedule_time) {
    last = std::max(last.value_or(Slot::min()), std::chrono::floor<std::chrono::seconds>(believed(*stored, facts)));
  }
  for (const auto& job : facts.jobs) {
    if (job.slot && !is_ahead(job, facts)) last = std::max(last.value_or(Slot::min()), *job.slot);
  }
  return last;
}

CronJobPlan plan_cronjob(const CronJobFacts& facts, cron::Zone zone, async::WallTime now) {
  CronJobPlan plan;
  if (facts.deleting) return plan;
  auto schedule = read_schedule(facts.spec, zone, plan.problem);
  if (!schedule) return plan;
  plan.schedule = *schedule;
  auto earliest = last_slot(facts).value_or(facts.created);
  auto from_now = std::max(earliest, std::chrono::floor<std::chrono::seconds>(now));
  if (!schedule->next(earliest) && !schedule->next(from_now)) {
    plan.schedule.reset();
    plan.problem = ScheduleProblem{
        "InvalidSchedule",
        "invalid schedule: " + facts.spec.schedule + " : time difference between two schedules is less than 1 second",
        "InvalidSchedule", "The schedule does not fire within five years: " + facts.spec.schedule};
    return plan;
  }
  plan.suspended = facts.spec.suspend.value_or(false);
  if (plan.suspended) return plan;
  find_slot(facts, earliest, now, plan);
  if (plan.slot && !plan.too_late) apply_concurrency_policy(facts, plan);
  return plan;
}

cron::Zone zone_of(const CronJobSpec& spec, cron::Zone zone) {
  if (!spec.time_zone) return zone;
  auto found = cron::Zone::find(*spec.time_zone);
  return found ? *found : zone;
}

async::Duration time_until(Slot next, async::WallTime now) {
  if (next - std::chrono::floor<std::chrono::seconds>(now) > kLongestSleep) return kLongestSleep;
  return std::max(next - now, async::Duration(0)) + kPad;
}

}  // namespace keelson::kinds
