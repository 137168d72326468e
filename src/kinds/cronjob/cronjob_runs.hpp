// The writes of a CronJob's controller: it creates the Job of a slot, and deletes replaced and old Jobs.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>

#include "keelson/base/task.hpp"
#include "keelson/controller/definition.hpp"
#include "src/kinds/cronjob/cronjob_pass.hpp"

namespace keelson::kinds {

class CronJobRuns {
 public:
  CronJobRuns(controller::Context& context, cron::Zone zone);

  // Deletes the Jobs that the plan replaces, then creates the slot's Job. An existing Job that this CronJob owns is a
  // success. A rejection is stored in the pass too.
  [[nodiscard]] Task<void> start(CronJobPass& pass);

  // Deletes the Jobs beyond the history limits, and only logs errors. Call it after the status has the slots of these
  // Jobs: a deleted Job does not show that it ran.
  [[nodiscard]] boost::asio::awaitable<void> clean_up(CronJobPass& pass);

  using Type = controller::EventRecorder::Type;
  void record(const CronJobPass& pass, Type type, std::string reason, std::string action, std::string note);
  void record_about(const CronJobPass& pass, const JobReference& job, Type type, std::string reason, std::string action,
                    std::string note);
  // Reports Jobs whose slot is in the future or not a time: each once, and all new ones of a pass in a single log line
  // and Event.
  void report_unbelieved(CronJobPass& pass);
  // Records an Event once for each slot, although its cause persists while the slot waits.
  void record_once_a_slot(CronJobPass& pass, Type type, std::string reason, std::string note);

 private:
  [[nodiscard]] Task<void> create(CronJobPass& pass);
  [[nodiscard]] Task<void> decide_taken_name(CronJobPass& pass, std::string name, Error conflict);
  [[nodiscard]] Task<void> remove(CronJobPass& pass, JobReference job);

  controller::Context& context_;
  cron::Zone zone_;
  metrics::Histogram& skew_;
};

}  // namespace keelson::kinds
