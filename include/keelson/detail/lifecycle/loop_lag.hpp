// The delay of the event loop, as the metrics keelson_loop_lag_seconds, keelson_loop_turn_seconds and keelson_timers.
//
// keelson_loop_lag_seconds is the longest delay since the last scrape, in seconds: the longest turn of the loop, or the
// delay of a timer that fires every second, whichever is longer. The timer covers what no turn shows: a process that
// the kernel does not run although it could, because of a CPU limit or a suspend. A scrape resets the value, so several
// scrapers each see a part of the delays. The histogram keelson_loop_turn_seconds counts every turn, and never resets.
#pragma once

#include <boost/asio/any_io_executor.hpp>

#include "keelson/async/clock.hpp"
#include "keelson/async/task_group.hpp"
#include "keelson/base/task.hpp"
#include "keelson/detail/async/loop_turns.hpp"
#include "keelson/detail/async/runnable.hpp"
#include "keelson/metrics/registry.hpp"

namespace keelson::lifecycle {

// At most one for each loop (async/loop_turns.hpp). Clock and registry must outlive it.
class LoopLag final : public async::Runnable {
 public:
  LoopLag(boost::asio::any_io_executor executor, async::Clock& clock, metrics::Registry& registry);
  // The series exist from the construction on; the timer runs between start() and stop().
  std::string name() const override { return "loop lag"; }
  Task<void> start() override;
  boost::asio::awaitable<void> stop() override;

  // The longest delay since the last call of take_recent(): for a chart, next to the metric.
  [[nodiscard]] async::Duration recent();
  [[nodiscard]] async::Duration take_recent();

 private:
  void collect(async::Duration late = {});
  // Waits a second at a time, and notes how late each wait ends.
  [[nodiscard]] boost::asio::awaitable<void> measure();
  async::Clock& clock_;
  async::LoopTurns turns_;
  metrics::Histogram& histogram_;
  async::Duration worst_{0};   // since the last scrape
  async::Duration recent_{0};  // since the last take_recent()
  metrics::ScrapeHook scrape_;
  async::TaskGroup tasks_;
};

}  // namespace keelson::lifecycle
