// Starts what a program consists of in order, waits, and stops it in the reverse order within a grace period.
//
// Knows no controller: only runnables in groups. The order is controller-runtime's: servers first, so that probes are
// answered while caches fill; what serves others stops after what it serves.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <functional>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/async/runnable.hpp"
#include "keelson/base/log.hpp"

namespace keelson::manager {

enum class Group { kServers, kWebhooks, kCaches, kOthers, kControllers };

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

  // Starts everything, waits until `stop_requested` returns, stops everything. The error is that of a failed start, or
  // that the grace period was over before all had ended (they have been cancelled and joined all the same).
  [[nodiscard]] boost::asio::awaitable<Result<void>> run(std::function<boost::asio::awaitable<void>()> stop_requested);

 private:
  struct Member {
    Group group;
    async::Runnable* runnable;
  };
  [[nodiscard]] boost::asio::awaitable<Result<void>> start_all();
  [[nodiscard]] boost::asio::awaitable<Result<void>> stop_all();
  [[nodiscard]] boost::asio::awaitable<bool> stop_group(Group group, async::TimePoint deadline);

  async::Clock& clock_;
  Logger log_;
  async::Duration grace_;
  std::vector<Member> members_;
  std::size_t started_ = 0;
};

}  // namespace keelson::manager
