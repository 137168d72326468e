// A record of the Jobs of CronJobs in a simulated cluster, and a check that every slot ran as it should.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/cron/schedule.hpp"
#include "keelson/kube/object.hpp"
#include "keelson/schema/identity.hpp"

namespace keelson::testing {

// The fields of a simulated CronJob that the ledger needs.
struct SimulatedCronJob {
  std::string name;
  std::string schedule;
  std::string zone = "UTC";
  std::string policy = "Allow";
  std::optional<std::int64_t> deadline;
  bool suspended = false;
  std::chrono::sys_seconds created{};
};

// A Job, from the write that created it to the write that ended it.
struct SimulatedRun {
  std::string uid;
  async::WallTime created{};
  std::optional<async::WallTime> ended;  // finished or deleted
  [[nodiscard]] bool is_active_at(async::WallTime time) const { return created <= time && (!ended || time < *ended); }
};

class CronJobLedger {
 public:
  explicit CronJobLedger(async::Clock& clock) : clock_(clock) {}

  void add(SimulatedCronJob cronjob) { cronjobs_.push_back(std::move(cronjob)); }
  // A callback for ApiServer::after_write.
  void hear(const kube::Resource& resource, const std::optional<kube::Object>& before,
            const std::optional<kube::Object>& after);
  void manager_is(bool up);

  // Descriptions of all violations until `end`; empty if there is none.
  [[nodiscard]] std::vector<std::string> faults(async::WallTime end) const;
  [[nodiscard]] std::size_t runs() const { return runs_; }
  [[nodiscard]] std::size_t required() const { return required_; }

 private:
  using Runs = std::map<std::chrono::sys_seconds, std::vector<SimulatedRun>>;
  void judge(const SimulatedCronJob& cronjob, async::WallTime end, std::vector<std::string>& faults) const;
  void decide_run(const SimulatedCronJob& cronjob, const Runs& runs, std::chrono::sys_seconds slot,
                  const SimulatedRun& run, std::vector<std::string>& faults) const;
  [[nodiscard]] async::WallTime when_free(const SimulatedCronJob& cronjob, const Runs& runs,
                                          async::WallTime from) const;
  [[nodiscard]] async::WallTime when_up(async::WallTime from) const;

  async::Clock& clock_;
  std::vector<SimulatedCronJob> cronjobs_;
  std::map<std::string, Runs> all_;                   // by CronJob
  std::map<std::string, SimulatedRun*> by_uid_;       // runs that have not ended
  std::vector<std::pair<async::WallTime, bool>> up_;  // changes, in order
  std::size_t runs_ = 0;
  mutable std::size_t required_ = 0;
};

}  // namespace keelson::testing
