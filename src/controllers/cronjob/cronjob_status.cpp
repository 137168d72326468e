#include "src/controllers/cronjob/cronjob_status.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "keelson/base/go_text.hpp"
#include "keelson/schema/time.hpp"
#include "src/controllers/cronjob/limits.hpp"

namespace keelson::controllers {

namespace {

constexpr const char* kJobsFailed = "JobsFailed";
constexpr const char* kJobsFailedMessage = "The last job that ended has failed";

bool said_to_have_failed(const CronJobStatus& status) {
  return std::any_of(status.conditions.begin(), status.conditions.end(),
                     [](const auto& condition) { return condition.reason == kJobsFailed; });
}

// A success beyond the horizon was written by hand and is ignored.
bool is_credible(const kube::Time& success, const CronJobFacts& facts) { return believed(success, facts) == success; }

std::optional<kube::Time> stored_success(const CronJobFacts& facts) {
  const auto& stored = facts.status.last_successful_time;
  return stored && is_credible(*stored, facts) ? stored : std::nullopt;
}

// True if the last finished Job has failed. Jobs are deleted (by the history limits, a TTL or a user), which must not
// change the result: a failure is reported until a later Job succeeds.
bool has_failed(const CronJobFacts& facts, const CronJobStatus& status) {
  const auto& success = status.last_successful_time;
  if (success == stored_success(facts) && said_to_have_failed(facts.status)) return true;
  return std::any_of(facts.jobs.begin(), facts.jobs.end(), [&success](const auto& job) {
    if (job.end != JobFacts::End::kFailed) return false;
    auto time = job.failure_time ? job.failure_time : job.start_time;
    return !success || (time && *time > *success);
  });
}

// The problem that prevents runs until a user or administrator fixes it.
std::optional<kube::ConditionState> stalled(const CronJobPlan& plan, const std::optional<std::string>& rejection) {
  if (plan.problem) return kube::ConditionState{true, plan.problem->reason, plan.problem->message};
  if (rejection) return kube::ConditionState{true, "JobCreationFailed", "Failed to create job: " + *rejection};
  return std::nullopt;
}

kube::ConditionState degraded(const CronJobPlan& plan, const std::optional<kube::ConditionState>& stalled,
                              bool failed) {
  if (stalled) return *stalled;
  if (plan.too_late) {
    return {true, "MissedSchedule", "Missed starting deadline for run at " + kube::format_time(*plan.slot)};
  }
  if (failed) return {true, kJobsFailed, kJobsFailedMessage};
  return {false, "AsExpected", "Nothing is wrong."};
}

kube::ConditionState available(const CronJobFacts& facts, const JobCounts& counts, bool failed) {
  if (facts.spec.suspend.value_or(false)) return {false, "Suspended", "CronJob is suspended"};
  if (failed) return {false, kJobsFailed, kJobsFailedMessage};
  if (counts.active > 0) {
    return {true, "JobsActive", "CronJob is progressing with " + std::to_string(counts.active) + " active job(s)"};
  }
  return {true, "AllJobsCompleted", "All jobs have completed successfully"};
}

kube::ConditionState progressing(const JobCounts& counts) {
  if (counts.active == 0) return {false, "NoJobsActive", "No jobs are currently active"};
  return {true, "JobsActive", std::to_string(counts.active) + " job(s) are currently active"};
}

void set(CronJobStatus& status, std::string_view type, const kube::ConditionState& claim, async::WallTime now) {
  kube::set_condition(status.conditions, type, claim, status.observed_generation, now);
}

void set_conditions(const CronJobFacts& facts, const CronJobPlan& plan, const std::optional<std::string>& rejection,
                    async::WallTime now, CronJobStatus& status) {
  auto counts = count_jobs(facts.jobs);
  auto wrong = stalled(plan, rejection);
  bool failed = has_failed(facts, status);
  set(status, "Available", available(facts, counts, failed), now);
  set(status, "Degraded", degraded(plan, wrong, failed), now);
  set(status, "Progressing", progressing(counts), now);
  set(status, "Ready",
      wrong ? kube::ConditionState{false, wrong->reason, wrong->message}
            : kube::ConditionState{true, facts.spec.suspend.value_or(false) ? "Suspended" : "Scheduled",
                                   "The schedule is valid."},
      now);
  // By kstatus' convention these two exist only while they are True. When a status is written, no step of the
  // controller is incomplete, so Reconciling is never True.
  kube::remove_condition(status.conditions, "Reconciling");
  if (wrong) {
    set(status, "Stalled", *wrong, now);
  } else {
    kube::remove_condition(status.conditions, "Stalled");
  }
}

void set_jobs(const CronJobFacts& facts, CronJobStatus& status) {
  for (const auto& job : facts.jobs) {
    if (job.end == JobFacts::End::kNone) status.active.push_back(job.reference);
    bool has_completed = job.end == JobFacts::End::kComplete && job.completion_time;
    if (has_completed && is_credible(*job.completion_time, facts)) {
      status.last_successful_time =
          std::max(status.last_successful_time.value_or(*job.completion_time), *job.completion_time);
    }
  }
  status.active_jobs = static_cast<std::int32_t>(status.active.size());
  std::sort(status.active.begin(), status.active.end(),
            [](const auto& left, const auto& right) { return left.name < right.name; });
  if (status.active.size() > limits::kActiveReferences) status.active.resize(limits::kActiveReferences);
}

// The stored list may be forged, so at most limits::kActiveReferences of its entries are read.
void tell_of_jobs(const CronJobFacts& facts, const std::vector<JobReference>& deleted, std::vector<Announcement>& out) {
  const auto& active = facts.status.active;
  const auto listed = std::span(active).first(std::min(active.size(), limits::kActiveReferences));
  std::map<std::string_view, const JobFacts*> jobs;
  for (const auto& job : facts.jobs) jobs.emplace(job.reference.uid, &job);
  std::set<std::string_view> known;
  for (const auto& reference : active) known.insert(reference.uid);
  std::set<std::string_view> gone;
  for (const auto& reference : deleted) gone.insert(reference.uid);
  for (const auto& reference : listed) {
    auto job = jobs.find(reference.uid);
    if (job == jobs.end()) {
      if (!gone.contains(reference.uid)) {
        out.push_back({false, "MissingJob", "Active job went missing: " + reference.name, reference});
      }
    } else if (job->second->end != JobFacts::End::kNone) {
      const auto* condition = job->second->end == JobFacts::End::kComplete ? "Complete" : "Failed";
      out.push_back(
          {false, "SawCompletedJob", "Saw completed job: " + reference.name + ", condition: " + condition, reference});
    }
  }
  for (const auto& job : facts.jobs) {
    bool is_new = job.end == JobFacts::End::kNone && !known.contains(job.reference.uid);
    if (is_new && !job.slot) {
      out.push_back({true, "UnexpectedJob",
                     "Saw a job that the controller did not create or forgot: " + job.reference.name, job.reference});
    }
  }
}

bool is_new_trouble(const CronJobStatus& before, const CronJobStatus& after) {
  const auto* was = kube::find_condition(before.conditions, "Degraded");
  const auto* is = kube::find_condition(after.conditions, "Degraded");
  return was == nullptr || was->status != is->status || was->reason != is->reason || was->message != is->message;
}

}  // namespace

CronJobStatus compute_cronjob_status(const CronJobFacts& facts, const CronJobPlan& plan,
                                     const std::optional<std::string>& rejection, async::WallTime now) {
  CronJobStatus status;
  status.observed_generation = facts.generation;
  status.last_schedule_time = last_slot(facts);
  status.last_successful_time = stored_success(facts);
  status.conditions = facts.status.conditions;
  set_jobs(facts, status);
  // The plan of a CronJob that is being deleted is empty, so its conditions are not computed again.
  if (!facts.deleting) set_conditions(facts, plan, rejection, now, status);
  return status;
}

std::vector<Announcement> news(const CronJobFacts& facts, const CronJobPlan& plan, const CronJobStatus& status,
                               const std::vector<JobReference>& deleted) {
  std::vector<Announcement> out;
  tell_of_jobs(facts, deleted, out);
  const auto& stored = facts.status.last_schedule_time;
  if (stored && status.last_schedule_time && believed(*stored, facts) != *stored) {
    out.push_back({true, std::string(kUnexpectedTime),
                   "status.lastScheduleTime was in the future: " + kube::format_time(*stored) +
                       "; it is ignored, and runs continue from " + kube::format_time(*status.last_schedule_time)});
  }
  bool has_new_spec = facts.status.observed_generation != facts.generation;
  if (has_new_spec && facts.spec.schedule.find("TZ") != std::string::npos) {
    out.push_back({true, "UnsupportedSchedule",
                   "CRON_TZ or TZ used in schedule " + base::quote_go(facts.spec.schedule) +
                       " is not officially supported, see "
                       "https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details"});
  }
  if (!is_new_trouble(facts.status, status)) return out;
  if (plan.problem) out.push_back({true, plan.problem->event, plan.problem->note});
  if (plan.too_late) {
    out.push_back({true, "MissSchedule",
                   "Missed scheduled time to start a job: " + cron::format_rfc1123z(*plan.slot, cron::Zone::utc())});
  }
  return out;
}

}  // namespace keelson::controllers
