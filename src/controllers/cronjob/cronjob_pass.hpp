// One reconcile of a CronJob under way: what is known, what was decided, what was done.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "keelson/controller/definition.hpp"
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
  CronJobPass(kube::Object object, Logger logger) : cronjob(std::move(object)), log(std::move(logger)) {}

  kube::Object cronjob;
  Logger log;
  CronJobMemory memory;
  CronJobFacts facts;
  std::vector<kube::Object> jobs;  // those that facts.jobs is about
  CronJobPlan plan;
  std::vector<kube::Object> unlisted;  // Jobs that the server has and the cache does not know yet
  std::optional<std::string> refusal;  // why the slot's Job could not be made
  bool is_undecided = false;           // nor whether it was: the next try tells
  bool name_is_taken = false;          // by an object that is not ours
};

// Spec, status and Jobs as the cache has them.
[[nodiscard]] Result<void> read_cronjob(controller::Context& context, CronJobPass& pass);
[[nodiscard]] Result<void> read_jobs(controller::Context& context, CronJobPass& pass);

// Asks the server for Jobs that the status calls active and the cache does not know: the cache may be behind, and what
// is missing decides whether another run may begin.
[[nodiscard]] boost::asio::awaitable<Result<void>> look_for_missing(controller::Context& context, CronJobPass& pass);

}  // namespace keelson::controllers
