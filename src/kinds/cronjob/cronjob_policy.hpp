// Decides when a CronJob runs: the arithmetic of a pass, without I/O.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/cron/schedule.hpp"
#include "src/kinds/cronjob/cronjob.hpp"
#include "src/kinds/cronjob/cronjob_jobs.hpp"

namespace keelson::kinds {

// The observed state of a CronJob and its Jobs.
struct CronJobFacts {
  std::string name;
  std::int64_t generation = 0;
  bool deleting = false;
  Slot created;
  CronJobSpec spec;
  CronJobStatus status;        // as it is stored
  std::vector<JobFacts> jobs;  // those whose controller is this CronJob, by uid
  std::optional<Slot> ran;  // a slot whose Job this process has created, although status and jobs may not have it yet
  Slot now = Slot::max();
  Slot horizon = Slot::max();  // stored times after it are ignored or count as now: horizon_of
};

// The latest slot of a Job or a status that is accepted: 5 minutes of clock skew from now, or from the latest time that
// this process has observed, if its clock was set back by at most a day. A later time was written by hand, and would
// prevent runs of the CronJob until then.
[[nodiscard]] Slot horizon_of(async::WallTime now, async::WallTime latest_seen);
[[nodiscard]] bool is_ahead(const JobFacts& job, const CronJobFacts& facts);
// A stored time beyond the horizon counts as now: runs continue from now on, and none is repeated.
[[nodiscard]] kube::Time believed(kube::Time stored, const CronJobFacts& facts);

// The last slot that has a Job according to the status, the Jobs or this process, so that the slot of a deleted Job
// does not run again.
[[nodiscard]] std::optional<Slot> last_slot(const CronJobFacts& facts);

// A mistake in the spec that prevents all runs, with the texts of Kubernetes' Event and of our condition.
struct ScheduleProblem {
  std::string event;    // reason: "UnparseableSchedule"
  std::string note;     // of the Event
  std::string reason;   // of the condition: "InvalidSchedule"
  std::string message;  // of the condition
};

struct CronJobPlan {
  std::optional<ScheduleProblem> problem;
  std::optional<cron::Schedule> schedule;  // absent if there is a problem
  bool suspended = false;
  std::optional<Slot> slot;            // the latest one that is due and has no Job
  bool too_late = false;               // its starting deadline has passed
  bool too_many = false;               // more than a hundred were missed
  bool blocked = false;                // the policy is Forbid, and an earlier run is active
  std::vector<JobReference> replaced;  // to be deleted before the slot's Job is created
  std::optional<Slot> next;            // the time of the next reconcile

  [[nodiscard]] bool runs() const { return slot && !too_late && !blocked; }
};

// `zone` is the time zone of a schedule without one.
[[nodiscard]] CronJobPlan plan_cronjob(const CronJobFacts& facts, cron::Zone zone, async::WallTime now);

// The spec's time zone, or `zone` without one; an unknown one counts as absent.
[[nodiscard]] cron::Zone zone_of(const CronJobSpec& spec, cron::Zone zone);

// The delay until the reconcile of `next`, which never comes before it.
[[nodiscard]] async::Duration time_until(Slot next, async::WallTime now);

}  // namespace keelson::kinds
