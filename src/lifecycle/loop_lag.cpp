#include "keelson/detail/lifecycle/loop_lag.hpp"

#include <algorithm>
#include <utility>

namespace keelson::lifecycle {
namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {
// Covers delays that no turn shows: the kernel does not run the process although its wait is over (CPU limit, suspend).
constexpr auto kInterval = 1s;

double to_seconds(async::Duration time) { return std::chrono::duration<double>(time).count(); }

metrics::Histogram& register_turns(metrics::Registry& registry) {
  std::vector<double> bounds;
  for (const auto bound : async::kTurnBounds) bounds.push_back(to_seconds(bound));
  return registry
      .histogram(
          "keelson_loop_turn_seconds",
          "Duration of the turns of the event loop. Sockets and timers that become ready in a turn wait for its end.",
          {}, std::move(bounds))
      .with({});
}
}  // namespace

LoopLag::LoopLag(asio::any_io_executor executor, async::Clock& clock, metrics::Registry& registry)
    : clock_(clock), turns_(executor, clock), histogram_(register_turns(registry)), tasks_(std::move(executor)) {
  auto& lag =
      registry
          .gauge("keelson_loop_lag_seconds",
                 "Longest delay of the event loop since the last scrape: a turn of the loop or a late timer.", {})
          .with({});
  auto& timers = registry.gauge("keelson_timers", "Number of pending timers.", {}).with({});
  scrape_ = registry.on_scrape([this, &lag, &timers] {
    collect();
    lag.set(to_seconds(std::exchange(worst_, async::Duration{0})));
    timers.set(static_cast<double>(clock_.pending()));
  });
}

Task<void> LoopLag::start() {
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

// A turn is reported only once, so it is added to the values of all readers.
void LoopLag::collect(async::Duration late) {
  const auto turns = turns_.take();
  histogram_.add({turns.counts.begin(), turns.counts.end()}, to_seconds(turns.total));
  const auto delay = std::max(turns.longest, late);
  worst_ = std::max(worst_, delay);
  recent_ = std::max(recent_, delay);
}

}  // namespace keelson::lifecycle
