#include "keelson/manager/loop_lag.hpp"

#include <algorithm>
#include <utility>

namespace keelson::manager {
namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {
// Covers delays that no turn shows: the kernel does not run the process although its wait is over (CPU limit, suspend).
constexpr auto kInterval = 1s;
}  // namespace

LoopLag::LoopLag(asio::any_io_executor executor, async::Clock& clock, metrics::Registry& registry)
    : clock_(clock), turns_(executor, clock), tasks_(std::move(executor)) {
  auto& lag =
      registry
          .gauge("keelson_loop_lag_seconds",
                 "Longest delay of the event loop since the last scrape: a turn of the loop or a late timer.", {})
          .with({});
  auto& timers = registry.gauge("keelson_timers", "Number of pending timers.", {}).with({});
  scrape_ = registry.on_scrape([this, &lag, &timers] {
    collect();
    lag.set(std::chrono::duration<double>(std::exchange(worst_, async::Duration{0})).count());
    timers.set(static_cast<double>(clock_.pending()));
  });
}

asio::awaitable<Result<void>> LoopLag::start() {
  tasks_.spawn(measure());
  co_return Result<void>();
}

asio::awaitable<void> LoopLag::stop() {
  tasks_.stop();
  co_await tasks_.join();
}

asio::awaitable<void> LoopLag::measure() {
  for (;;) {
    auto due = clock_.now() + kInterval;
    co_await async::sleep_until(clock_, due);
    collect(clock_.now() - due);
  }
}

async::Duration LoopLag::recent() {
  collect();
  return recent_;
}

async::Duration LoopLag::take_recent() {
  collect();
  return std::exchange(recent_, async::Duration{0});
}

// A turn is reported only once, so it is added to both readers' values.
void LoopLag::collect(async::Duration late) {
  const auto delay = std::max(turns_.take_longest(), late);
  worst_ = std::max(worst_, delay);
  recent_ = std::max(recent_, delay);
}

}  // namespace keelson::manager
