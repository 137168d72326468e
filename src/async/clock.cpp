#include "keelson/async/clock.hpp"

#include <ctime>

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "src/async/suspend.hpp"

namespace keelson::async {
namespace asio = boost::asio;

BootClock::time_point BootClock::now() {
  std::timespec now{};
  ::clock_gettime(CLOCK_BOOTTIME, &now);
  return time_point(std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec));
}

namespace {

// The timer's own object may go while the loop still holds its handler: `alive` tells the handler.
class LoopTimer final : public Timer {
 public:
  LoopTimer(const asio::any_io_executor& executor, TimePoint when, std::function<void()> callback, std::size_t& pending)
      : timer_(executor, when), alive_(std::make_shared<bool>(true)), pending_(pending) {
    ++pending_;
    timer_.async_wait([alive = alive_, callback = std::move(callback)](boost::system::error_code failed) {
      if (!failed && *alive) callback();
    });
  }
  LoopTimer(const LoopTimer&) = delete;
  LoopTimer& operator=(const LoopTimer&) = delete;
  ~LoopTimer() override {
    *alive_ = false;
    --pending_;
  }

 private:
  asio::basic_waitable_timer<BootClock> timer_;
  std::shared_ptr<bool> alive_;
  std::size_t& pending_;
};

class RealClock final : public Clock {
 public:
  explicit RealClock(asio::any_io_executor executor) : executor_(std::move(executor)) {}
  TimePoint now() const override { return BootClock::now(); }
  WallTime wall_now() const override { return std::chrono::system_clock::now(); }
  std::unique_ptr<Timer> call_at(TimePoint when, std::function<void()> callback) override {
    return std::make_unique<LoopTimer>(executor_, when, std::move(callback), pending_);
  }
  std::size_t pending() const override { return pending_; }

 private:
  asio::any_io_executor executor_;
  std::size_t pending_ = 0;
};

}  // namespace

std::unique_ptr<Clock> make_real_clock(asio::any_io_executor executor) {
  return std::make_unique<RealClock>(std::move(executor));
}

asio::awaitable<void> sleep_until(Clock& clock, TimePoint when) {
  std::unique_ptr<Timer> timer;
  auto begin = [&clock, &timer, when](std::function<void()> resume) { timer = clock.call_at(when, std::move(resume)); };
  auto cancel = [&timer] {
    timer.reset();
    return OnCancel::kUnwind;
  };
  co_await suspend(begin, cancel);
}

asio::awaitable<void> sleep_for(Clock& clock, Duration duration) {
  co_await sleep_until(clock, clock.now() + duration);
}

}  // namespace keelson::async
