// When a CronJob has to run: the arithmetic of a pass as plain decisions, no I/O.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/cron/schedule.hpp"
#include "src/controllers/cronjob/cronjob_jobs.hpp"
#include "src/controllers/cronjob/cronjob_types.hpp"

namespace keelson::controllers {

// What is known of one CronJob and its Jobs.
struct CronJobFacts {
  std::string name;
  std::int64_t generation = 0;
  bool deleting = false;
  Slot created;
  CronJobSpec spec;
  CronJobStatus status;        // as it is stored
  std::vector<JobFacts> jobs;  // those whose controller is this very CronJob
  std::optional<Slot> ran;     // a slot of which this process knows more than the above: its Job was created
  Slot now = Slot::max();
  Slot horizon = Slot::max();  // what claims to be later than this is false: horizon_of
};

// Up to when a slot of a Job or a status can be true: 5 minutes of clock skew from now, and what this process has seen
// before its clock was set back, if that was by no more than a day. A later time was written by hand, and would keep
// the CronJob from running until then.
[[nodiscard]] Slot horizon_of(async::WallTime now, async::WallTime latest_seen);
[[nodiscard]] bool is_ahead(const JobFacts& job, const CronJobFacts& facts);
// A stored time beyond the horizon counts as now: runs continue from here, and none is made twice.
[[nodiscard]] kube::Time believed(kube::Time stored, const CronJobFacts& facts);

// The last slot that has its Job: whatever remembers it counts, so that a Job that is gone does not run again.
[[nodiscard]] std::optional<Slot> last_slot(const CronJobFacts& facts);

// Something that no run will come of until the user has changed it, in the words of Kubernetes' Event and in ours.
struct ScheduleTrouble {
  std::string event;    // reason: "UnparseableSchedule"
  std::string note;     // what the Event says
  std::string reason;   // of the condition: "InvalidSchedule"
  std::string message;  // of the condition
};

struct CronJobPlan {
  std::optional<ScheduleTrouble> trouble;
  std::optional<cron::Schedule> schedule;  // when there is no trouble
  bool suspended = false;
  std::optional<Slot> slot;            // the latest that has come and has no Job
  bool too_late = false;               // its starting deadline is over
  bool too_many = false;               // more than a hundred were missed
  bool blocked = false;                // Forbid, and an earlier run goes on
  std::vector<JobReference> replaced;  // to be deleted before the slot's Job is created
  std::optional<Slot> next;            // when to look again

  [[nodiscard]] bool runs() const { return slot && !too_late && !blocked; }
};

// `zone` is the schedule's where it names none.
[[nodiscard]] CronJobPlan plan_cronjob(const CronJobFacts& facts, cron::Zone zone, async::WallTime now);

// The spec's zone, `zone` without one; an unknown one counts as absent.
[[nodiscard]] cron::Zone zone_of(const CronJobSpec& spec, cron::Zone zone);

// How long to stay away: never wakes early.
[[nodiscard]] async::Duration time_until(Slot next, async::WallTime now);

}  // namespace keelson::controllers
