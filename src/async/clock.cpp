#include "keelson/async/clock.hpp"

#include <sys/timerfd.h>
#include <unistd.h>

#include <ctime>
#include <limits>

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
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

// The loop may still hold the handler when the timer is destroyed; `alive` is false then.
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

// A timer of the kernel that never fires, but is canceled when the wall clock jumps: no wake-up until then.
class WallWatch final : public Timer {
 public:
  WallWatch(const asio::any_io_executor& executor, int descriptor, std::function<void()> callback)
      : descriptor_(executor, descriptor), callback_(std::make_shared<std::function<void()>>(std::move(callback))) {
    wait();
  }

  // The descriptor, or -1 if the system has no such timers.
  static int open() {
    int descriptor = ::timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK | TFD_CLOEXEC);
    if (descriptor >= 0 && !arm(descriptor)) {
      ::close(descriptor);
      descriptor = -1;
    }
    return descriptor;
  }

 private:
  static bool arm(int descriptor) {
    itimerspec never{};
    never.it_value.tv_sec = std::numeric_limits<std::int32_t>::max();
    never.it_value.tv_sec *= 4;  // the year 2242
    return ::timerfd_settime(descriptor, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &never, nullptr) == 0;
  }

  void wait() {
    std::weak_ptr<std::function<void()>> weak = callback_;
    auto on_set = [this, weak](boost::system::error_code failed) {
      auto callback = weak.lock();
      if (failed || !callback) return;
      std::uint64_t ignored = 0;
      static_cast<void>(::read(descriptor_.native_handle(), &ignored, sizeof(ignored)));
      if (arm(descriptor_.native_handle())) wait();
      (*callback)();  // may destroy this object
    };
    descriptor_.async_wait(asio::posix::stream_descriptor::wait_read, std::move(on_set));
  }

  asio::posix::stream_descriptor descriptor_;
  std::shared_ptr<std::function<void()>> callback_;  // shared: its weak_ptr expires when this object is destroyed
};

class RealClock final : public Clock {
 public:
  explicit RealClock(asio::any_io_executor executor) : executor_(std::move(executor)) {}
  TimePoint now() const override { return BootClock::now(); }
  WallTime wall_now() const override { return std::chrono::system_clock::now(); }
  std::unique_ptr<Timer> call_at(TimePoint when, std::function<void()> callback) override {
    return std::make_unique<LoopTimer>(executor_, when, std::move(callback), pending_);
  }
  std::unique_ptr<Timer> on_wall_set(std::function<void()> callback) override {
    int descriptor = WallWatch::open();
    if (descriptor < 0) return nullptr;
    return std::make_unique<WallWatch>(executor_, descriptor, std::move(callback));
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
