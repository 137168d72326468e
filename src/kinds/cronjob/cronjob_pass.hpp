// The state of a single reconcile of a CronJob: its observations, its plan and its results.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "keelson/base/task.hpp"
#include "keelson/controller/pass.hpp"
#include "src/kinds/cronjob/cronjob_policy.hpp"

namespace keelson::kinds {

// The knowledge of the process about a CronJob that the API server does not have; empty most of the time.
struct CronJobMemory {
  std::string uid;
  std::optional<Slot> ran;               // its Job was created, and no status has it yet
  std::map<std::string, Slot> reported;  // reasons of Events that are recorded once for each slot
  std::set<std::string> reported_jobs;   // uids of Jobs whose slot is ignored and has been reported
  std::vector<JobReference> deleted;     // by this process; the stored status may still list them as active
};

struct CronJobPass {
  CronJobPass(const CronJob& reconciled, Pass<CronJob>& its_pass) : cronjob(reconciled), pass(its_pass) {}

  [[nodiscard]] const kube::Object& object() const { return pass.object(); }
  [[nodiscard]] const Logger& log() const { return pass.log; }

  const CronJob& cronjob;
  Pass<CronJob>& pass;
  CronJobMemory memory;
  CronJobFacts facts;
  std::vector<kube::Object> jobs;  // the objects of facts.jobs
  CronJobPlan plan;
  std::vector<kube::Object> unlisted;    // Jobs that the API server has and the cache does not have yet
  std::optional<std::string> rejection;  // why the slot's Job could not be created, if the status must report it
  bool is_undecided = false;             // it is unknown whether the Job was created: the next try shows it
  bool name_is_taken = false;            // by an object that is not owned
};

// Read spec, status and Jobs from the cache.
[[nodiscard]] Result<void> read_cronjob(CronJobPass& pass);
[[nodiscard]] Result<void> read_jobs(CronJobPass& pass);

// Reads Jobs from the API server that the status lists as active and the cache does not have: the cache may be stale,
// and a missing Job decides whether another run may begin.
[[nodiscard]] Task<void> look_for_missing(CronJobPass& pass);

}  // namespace keelson::kinds
