// How late the loop comes to its work: the length of every turn, and a timer that measures itself, as
// keelson_loop_lag_seconds and keelson_timers.
#pragma once

#include <boost/asio/any_io_executor.hpp>

#include "keelson/async/clock.hpp"
#include "keelson/async/loop_turns.hpp"
#include "keelson/async/runnable.hpp"
#include "keelson/async/task_group.hpp"
#include "keelson/metrics/registry.hpp"

namespace keelson::manager {

// One for a loop.
class LoopLag final : public async::Runnable {
 public:
  LoopLag(boost::asio::any_io_executor executor, async::Clock& clock, metrics::Registry& registry);
  std::string name() const override { return "loop lag"; }
  boost::asio::awaitable<Result<void>> start() override;
  boost::asio::awaitable<void> stop() override;

 private:
  [[nodiscard]] boost::asio::awaitable<void> measure();
  async::Clock& clock_;
  async::LoopTurns turns_;
  async::Duration worst_{0};  // lateness of the timer since the last scrape
  metrics::ScrapeHook scrape_;
  async::TaskGroup tasks_;
};

}  // namespace keelson::manager
