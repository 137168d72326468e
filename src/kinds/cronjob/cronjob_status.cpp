#include "src/kinds/cronjob/cronjob_status.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "keelson/controller/rollout.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/schema/short_text.hpp"
#include "keelson/schema/time.hpp"

namespace keelson::kinds {

namespace {

constexpr const char* kJobsFailed = "JobsFailed";
constexpr const char* kNoPods = "NoPods";
constexpr const char* kPodsNotReady = "PodsNotReady";
// The Job controller creates the pods of a Job in seconds.
constexpr std::chrono::minutes kPodCreation{1};
// An autoscaler of nodes takes one to two minutes.
constexpr std::chrono::minutes kPodStart{2};
// The message of a Job's failure has at most the text of its pod failure policy.
constexpr std::size_t kFailureBytes = 300;

// The message of the failure that the stored conditions report; empty if they report none.
std::string stored_failure(const CronJobStatus& status) {
  for (const auto& condition : status.conditions) {
    if (condition.reason == kJobsFailed) return condition.message;
  }
  return "";
}

// A success beyond the horizon was written by hand and is ignored.
bool is_credible(const kube::Time& success, const CronJobFacts& facts) { return believed(success, facts) == success; }

std::optional<kube::Time> stored_success(const CronJobFacts& facts) {
  const auto& stored = facts.status.last_successful_time;
  return stored && is_credible(*stored, facts) ? stored : std::nullopt;
}

std::optional<kube::Time> time_of_failure(const JobFacts& job) {
  return job.failure_time ? job.failure_time : job.start_time;
}

// The last of the Jobs that failed after the last success; null if there is none.
const JobFacts* last_failed(const CronJobFacts& facts, const std::optional<kube::Time>& success) {
  const JobFacts* last = nullptr;
  for (const auto& job : facts.jobs) {
    const auto time = time_of_failure(job);
    if (job.end != JobFacts::End::kFailed || (success && !(time && *time > *success))) continue;
    if (last == nullptr || time_of_failure(*last) < time) last = &job;
  }
  return last;
}

// The problem if the last finished Job has failed. Jobs are deleted (by the history limits, a TTL or a user), which
// must not change the result: a failure is reported until a later Job succeeds.
std::optional<kube::ConditionState> failed_job(const CronJobFacts& facts, const CronJobStatus& status) {
  const auto& success = status.last_successful_time;
  if (const auto* job = last_failed(facts, success)) {
    auto message = "Job " + job->reference.name + " failed";
    if (job->failure_time) message += " at " + kube::format_time(*job->failure_time);
    if (!job->failure.empty()) message += ": " + kube::short_text(job->failure, kFailureBytes);
    return kube::ConditionState{true, kJobsFailed, std::move(message)};
  }
  auto stored = stored_failure(facts.status);
  if (stored.empty() || success != stored_success(facts)) return std::nullopt;
  return kube::ConditionState{true, kJobsFailed, std::move(stored)};
}

// When the pods of an active Job become a problem if they do not change; absent: never.
std::optional<kube::Time> problem_time(const JobFacts& job) {
  if (job.deleting) return std::nullopt;
  if (job.lacks_pods) return *job.start_time + kPodCreation;
  if (job.lacks_ready_pods) return *job.start_time + kPodStart;
  return std::nullopt;
}

kube::ConditionState problem_of_pods(const JobFacts& job) {
  const auto since = kube::format_time(*job.start_time);
  if (job.lacks_pods) {
    return {true, kNoPods,
            "Job " + job.reference.name + " has no pod since " + since +
                ": a ResourceQuota or a policy may reject its pods; its Events have the reason"};
  }
  return {true, kPodsNotReady,
          "Job " + job.reference.name + " has no ready pod since " + since +
              ": an image may be missing, a node, or a volume; `kubectl describe pods -n " + job.reference.ns +
              " -l job-name=" + job.reference.name + "` has the reason"};
}

std::optional<kube::ConditionState> job_without_pods(const CronJobFacts& facts, async::WallTime now) {
  for (const auto& job : facts.jobs) {
    const auto from = problem_time(job);
    if (from && *from <= now) return problem_of_pods(job);
  }
  return std::nullopt;
}

// The problem that prevents runs until a user or administrator fixes it.
std::optional<kube::ConditionState> stalled(const CronJobPlan& plan, const std::optional<std::string>& rejection) {
  if (plan.problem) return kube::ConditionState{true, plan.problem->reason, plan.problem->message};
  if (rejection) return kube::ConditionState{true, "JobCreationFailed", "Failed to create job: " + *rejection};
  return std::nullopt;
}

// `bad` is the problem of the Jobs.
kube::ConditionState degraded(const CronJobPlan& plan, const std::optional<kube::ConditionState>& stalled,
                              const std::optional<kube::ConditionState>& bad, const kube::ConditionState& progress) {
  if (stalled) return *stalled;
  if (plan.too_late) {
    return {true, "MissedSchedule", "Missed starting deadline for run at " + kube::format_time(*plan.slot)};
  }
  if (bad) return *bad;
  return {false, "AsExpected", progress.holds ? progress.message : "Nothing is wrong."};
}

kube::ConditionState available(const CronJobFacts& facts, const JobCounts& counts,
                               const std::optional<kube::ConditionState>& bad) {
  if (facts.spec.suspend.value_or(false)) return {false, "Suspended", "CronJob is suspended"};
  if (bad) return {false, bad->reason, bad->message};
  if (counts.active > 0) {
    return {true, "JobsActive", "CronJob is progressing with " + std::to_string(counts.active) + " active job(s)"};
  }
  return {true, "AllJobsCompleted", "All jobs have completed successfully"};
}

kube::ConditionState ready(const CronJobFacts& facts, const std::optional<kube::ConditionState>& wrong,
                           const std::optional<kube::ConditionState>& bad) {
  if (wrong || bad) {
    const auto& problem = wrong ? *wrong : *bad;
    return {false, problem.reason, problem.message};
  }
  return {true, facts.spec.suspend.value_or(false) ? "Suspended" : "Scheduled", "The schedule is valid."};
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
  auto bad = job_without_pods(facts, now);
  if (!bad) bad = failed_job(facts, status);
  set(status, "Available", available(facts, counts, bad), now);
  const auto progress = progressing(counts);
  set(status, "Degraded", degraded(plan, wrong, bad, progress), now);
  set(status, "Progressing", progress, now);
  set(status, "Ready", ready(facts, wrong, bad), now);
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
  std::ranges::sort(status.active, [](const auto& left, const auto& right) { return left.name < right.name; });
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

bool is_problem_of_jobs(std::string_view reason) {
  return reason == kJobsFailed || reason == kNoPods || reason == kPodsNotReady;
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

std::optional<Slot> next_check(const CronJobFacts& facts, async::WallTime now) {
  std::optional<Slot> next;
  for (const auto& job : facts.jobs) {
    const auto from = problem_time(job);
    if (!from) continue;
    const auto time = std::chrono::ceil<std::chrono::seconds>(*from);
    if (time > now) next = next ? std::min(*next, time) : time;
  }
  return next;
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
  const auto* problem = controller::new_problem(facts.status.conditions, status.conditions, "Degraded");
  const bool is_of_jobs = problem != nullptr && is_problem_of_jobs(problem->reason);
  if (is_of_jobs) out.push_back({true, problem->reason, problem->message});
  if (!is_new_trouble(facts.status, status)) return out;
  if (plan.problem) out.push_back({true, plan.problem->event, plan.problem->note});
  if (plan.too_late) {
    out.push_back({true, "MissSchedule",
                   "Missed scheduled time to start a job: " + cron::format_rfc1123z(*plan.slot, cron::Zone::utc())});
  }
  return out;
}

}  // namespace keelson::kinds
