// What a CronJob's controller does to Jobs: makes the one of a slot, ends those it replaces, deletes old ones.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>

#include "keelson/controller/definition.hpp"
#include "src/controllers/cronjob/cronjob_pass.hpp"

namespace keelson::controllers {

class CronJobRuns {
 public:
  CronJobRuns(controller::Context& context, cron::Zone zone);

  // Deletes what the plan replaces, then creates the slot's Job. That it exists already is as good, when it is ours. A
  // refusal is noted in the pass too.
  [[nodiscard]] boost::asio::awaitable<Result<void>> start(CronJobPass& pass);

  // Deletes what is beyond the history limits, as far as it goes. Only once the status shows the slots of these Jobs: a
  // Job that is gone tells nobody that it ran.
  [[nodiscard]] boost::asio::awaitable<void> clean_up(CronJobPass& pass);

  using Type = controller::EventRecorder::Type;
  void record(const CronJobPass& pass, Type type, std::string reason, std::string action, std::string note);
  void record_about(const CronJobPass& pass, const JobReference& job, Type type, std::string reason, std::string action,
                    std::string note);
  // Jobs whose slot is in the future or is no time: each is reported once, all new ones of a pass in one line and
  // Event.
  void report_unbelieved(CronJobPass& pass);
  // For what stays true while one slot waits.
  void record_once_a_slot(CronJobPass& pass, Type type, std::string reason, std::string note);

 private:
  [[nodiscard]] boost::asio::awaitable<Result<void>> create(CronJobPass& pass);
  [[nodiscard]] boost::asio::awaitable<Result<void>> judge_taken_name(CronJobPass& pass, std::string name,
                                                                      Error conflict);
  [[nodiscard]] boost::asio::awaitable<Result<void>> remove(CronJobPass& pass, JobReference job);

  controller::Context& context_;
  cron::Zone zone_;
  metrics::Histogram& skew_;
};

}  // namespace keelson::controllers
