// Starts what a program consists of in order, waits, and stops it in the reverse order within a grace period.
//
// Knows no controller: only runnables in groups. The order is controller-runtime's: servers first, so that probes are
// answered while caches fill; what serves others stops after what it serves. With an elector the group of controllers
// starts when it leads, and everything else on a standby too; a lead that is lost ends everything at once.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <functional>
#include <optional>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/async/notify.hpp"
#include "keelson/async/runnable.hpp"
#include "keelson/async/task_group.hpp"
#include "keelson/base/log.hpp"
#include "keelson/leader/elector.hpp"

namespace keelson::manager {

enum class Group { kServers, kWebhooks, kCaches, kOthers, kControllers, kEnd };  // kEnd: behind them, for nobody

class Manager {
 public:
  // `grace` is for the whole stop; zero means: cancel at once and call it a success, negative:
  // wait for ever.
  Manager(async::Clock& clock, Logger log, async::Duration grace)
      : clock_(clock), log_(std::move(log)), grace_(grace) {}
  Manager(const Manager&) = delete;
  Manager& operator=(const Manager&) = delete;

  // Before run(); the runnable must outlive it.
  void add(Group group, async::Runnable& runnable);
  // Likewise. The lease is given up after everything has stopped, beyond the grace period if need be.
  void elect_by(leader::Elector& elector);

  // Starts everything, waits until `stop_requested` returns, stops everything. The error is that of a failed start,
  // that the lead was lost, or that the grace period was over before all had ended (they have been cancelled and joined
  // all the same).
  [[nodiscard]] boost::asio::awaitable<Result<void>> run(std::function<boost::asio::awaitable<void>()> stop_requested);

 private:
  struct Member {
    Group group;
    async::Runnable* runnable;
  };
  [[nodiscard]] boost::asio::awaitable<Result<void>> start_until(Group end);
  [[nodiscard]] boost::asio::awaitable<void> lead(async::TaskGroup& tasks, boost::asio::awaitable<void> stop_requested,
                                                  Result<void>& started);
  [[nodiscard]] boost::asio::awaitable<void> note_stop(boost::asio::awaitable<void> stop_requested);
  [[nodiscard]] boost::asio::awaitable<Result<void>> stop_all();
  [[nodiscard]] boost::asio::awaitable<bool> stop_group(Group group);
  [[nodiscard]] boost::asio::awaitable<void> stop_elector();
  [[nodiscard]] boost::asio::awaitable<void> survive(boost::asio::awaitable<void> stop);
  [[nodiscard]] bool has_lost() const;
  void follow_election();

  async::Clock& clock_;
  Logger log_;
  async::Duration grace_;
  std::vector<Member> members_;
  std::size_t started_ = 0;
  leader::Elector* elector_ = nullptr;  // none: everything starts at once
  async::Notify changed_;               // who leads, or that we are to stop
  bool is_stopping_ = false;
  async::TimePoint stop_deadline_{};
  std::function<void()> abort_;  // what is being stopped
  std::optional<Error> broken_;  // what a stop() threw
};

}  // namespace keelson::manager
