// Starts the services of a program in order, waits, and stops them in the reverse order within a grace period.
//
// Purpose: the manager knows runnables (async/runnable.hpp) in groups and no controllers. The order is that of
// controller-runtime: servers start first, so that probes are answered while caches fill, and a service stops after the
// services that use it.
//
// Leader election: with an elector, the group kControllers starts when this replica has acquired the lease. All other
// groups also run on a standby. When the leader loses the lease, every service is aborted immediately and run() returns
// the error "leader election lost"; the program then exits and is restarted, as with controller-runtime.
//
// Ownership: the manager owns nothing. Clock, runnables and elector must outlive it.
//
// Cancellation and threads: everything runs on the loop's single thread. End run() through `stop_requested`.
// Canceling run() itself unwinds it without stopping the services.
//
// Example (test/examples/manager.cpp#manager):
//   // Starts the server and then the cache, and stops them in the reverse order after SIGTERM, within 30 s.
//   Task<void> run_services(async::Clock& clock, Logger log, async::Runnable& server, async::Runnable& cache) {
//     lifecycle::Manager manager(clock, std::move(log), std::chrono::seconds(30));
//     manager.add(lifecycle::Group::kServers, server);
//     manager.add(lifecycle::Group::kCaches, cache);
//     auto ended = co_await manager.run(async::wait_for_stop_signal);
//     co_return ended;
//   }
#pragma once

#include <boost/asio/awaitable.hpp>
#include <functional>
#include <optional>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/async/task_group.hpp"
#include "keelson/base/log.hpp"
#include "keelson/base/task.hpp"
#include "keelson/detail/async/notify.hpp"
#include "keelson/detail/async/runnable.hpp"
#include "keelson/detail/leader/elector.hpp"

namespace keelson::lifecycle {

// The groups in the order of their start. Members of a group start one after another, in the order of add(), and stop
// concurrently. kOthers runs on every replica, kControllers on the leader. kEnd is the end of the enumeration and has
// no members.
enum class Group { kServers, kWebhooks, kCaches, kOthers, kControllers, kEnd };

class Manager {
 public:
  // `grace` is the time for the whole stop (--graceful-shutdown-timeout). Zero: abort immediately, which counts as
  // success. Negative: wait without a limit.
  Manager(async::Clock& clock, Logger log, async::Duration grace)
      : clock_(clock), log_(std::move(log)), grace_(grace) {}
  Manager(const Manager&) = delete;
  Manager& operator=(const Manager&) = delete;

  // Only before run().
  void add(Group group, async::Runnable& runnable);
  // Only before run(). The leader releases the lease after all services have stopped, even if the grace period is over
  // by then, so that no write of this process follows a write of the next leader. If controllers had to be aborted, the
  // lease is not released and expires. A standby stops competing before anything else stops.
  void elect_by(leader::Elector& elector);

  // Starts all services, waits until `stop_requested` returns, and stops them. Call it once. The error is one of:
  // - "starting NAME: …": a service failed to start. The services before it and the failed one have been stopped.
  // - "leader election lost" (kFenced).
  // - "failed waiting for all runnables to end within grace period of …" (kTimeout): services had to be aborted. They
  //   have ended nevertheless.
  // - an exception of a stop(), as text. The other services have been stopped, too.
  [[nodiscard]] Task<void> run(std::function<boost::asio::awaitable<void>()> stop_requested);

 private:
  struct Member {
    Group group;
    async::Runnable* runnable;
  };
  [[nodiscard]] Task<void> start_until(Group end);
  [[nodiscard]] boost::asio::awaitable<void> lead(async::TaskGroup& tasks, boost::asio::awaitable<void> stop_requested,
                                                  Result<void>& started);
  [[nodiscard]] boost::asio::awaitable<void> note_stop(boost::asio::awaitable<void> stop_requested);
  [[nodiscard]] Task<void> stop_all();
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
  leader::Elector* elector_ = nullptr;  // null: no leader election
  async::Notify changed_;               // the state of the elector, or is_stopping_
  bool is_stopping_ = false;
  async::TimePoint stop_deadline_{};
  std::function<void()> abort_;  // aborts the group that is stopping
  std::optional<Error> broken_;  // the exception of a stop()
};

}  // namespace keelson::lifecycle
