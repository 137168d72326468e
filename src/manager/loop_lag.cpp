#include "keelson/manager/loop_lag.hpp"

#include <algorithm>

namespace keelson::manager {
namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {
// Often enough to meet a loop that is held now and then, rarely enough to cost nothing.
constexpr auto kInterval = 1s;
}  // namespace

LoopLag::LoopLag(asio::any_io_executor executor, async::Clock& clock, metrics::Registry& registry)
    : clock_(clock), tasks_(std::move(executor)) {
  auto& lag = registry
                  .gauge("keelson_loop_lag_seconds",
                         "Longest time that the event loop came late to a timer since the last scrape.", {})
                  .with({});
  auto& timers = registry.gauge("keelson_timers", "Timers that are waiting.", {}).with({});
  scrape_ = registry.on_scrape([this, &lag, &timers] {
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
    worst_ = std::max(worst_, async::Duration(clock_.now() - due));
  }
}

}  // namespace keelson::manager
