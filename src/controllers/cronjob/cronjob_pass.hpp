// One reconcile of a CronJob under way: what is known, what was decided, what was done.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "keelson/controller/pass.hpp"
#include "src/controllers/cronjob/cronjob_steps.hpp"

namespace keelson::controllers {

// What the process knows of a CronJob beyond the API server; nothing, for most of them at most times.
struct CronJobMemory {
  std::string uid;
  std::optional<Slot> ran;               // its Job was made, and no status shows it yet
  std::map<std::string, Slot> reported;  // reasons of Events that are recorded once a slot
  std::set<std::string> reported_jobs;   // uids of Jobs whose slot is ignored and has been reported
  std::vector<JobReference> deleted;     // by us, and a status that calls them active may still be stored
};

struct CronJobPass {
  CronJobPass(const CronJob& reconciled, Pass<CronJob>& its_pass) : cronjob(reconciled), pass(its_pass) {}

  [[nodiscard]] const kube::Object& object() const { return pass.object(); }
  [[nodiscard]] const Logger& log() const { return pass.log; }

  const CronJob& cronjob;
  Pass<CronJob>& pass;
  CronJobMemory memory;
  CronJobFacts facts;
  std::vector<kube::Object> jobs;  // those that facts.jobs is about
  CronJobPlan plan;
  std::vector<kube::Object> unlisted;  // Jobs that the API server has and the cache does not have yet
  std::optional<std::string> refusal;  // why the slot's Job could not be created
  bool is_undecided = false;           // nor is it known whether it was: the next try tells
  bool name_is_taken = false;          // by an object that is not ours
};

// Spec, status and Jobs as the cache has them.
[[nodiscard]] Result<void> read_cronjob(CronJobPass& pass);
[[nodiscard]] Result<void> read_jobs(CronJobPass& pass);

// Asks the API server for Jobs that the status lists as active and the cache does not have: the cache may be stale, and
// what is missing decides whether another run may begin.
[[nodiscard]] boost::asio::awaitable<Result<void>> look_for_missing(CronJobPass& pass);

}  // namespace keelson::controllers
