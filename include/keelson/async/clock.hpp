// Clock: the time, and timers, as a constructor parameter that tests replace with virtual time.
//
// The real clock uses the loop's timers and includes the time in which the machine was suspended (CLOCK_BOOTTIME: a
// lease does not pause with a laptop). The virtual clock (sandbox/loop/virtual_clock.hpp) moves only when nothing is
// left to do. Read the time from the Clock of the service, never from std::chrono directly.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <functional>
#include <memory>

namespace keelson::async {

// Monotonic time that includes suspension; it has no relation to a calendar.
struct BootClock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<BootClock>;
  static constexpr bool is_steady = true;
  [[nodiscard]] static time_point now();
};

using Duration = std::chrono::nanoseconds;
// For timers, deadlines and measurements.
using TimePoint = BootClock::time_point;
// For times that leave the process: Lease, status, log, schedule. It may jump.
using WallTime = std::chrono::time_point<std::chrono::system_clock, std::chrono::nanoseconds>;

// The handle of a requested call. Destroying it cancels the request: the callback is not called any more.
class Timer {
 public:
  virtual ~Timer() = default;
};

class Clock {
 public:
  virtual ~Clock() = default;

  [[nodiscard]] virtual TimePoint now() const = 0;
  [[nodiscard]] virtual WallTime wall_now() const = 0;

  // Calls `callback` once at `when` or slightly later, from the loop, never inside this function; a time in the past
  // means as soon as possible. The Timer must not outlive the clock. The callback may destroy it.
  [[nodiscard]] virtual std::unique_ptr<Timer> call_at(TimePoint when, std::function<void()> callback) = 0;

  // Calls `callback` from the loop each time the wall clock is set, and after the machine was suspended: times that
  // were computed with wall_now() may be wrong now. The gradual corrections of NTP cause no call. The calls end when
  // the Timer is destroyed, which must not outlive the clock. Null if the system does not report such changes.
  [[nodiscard]] virtual std::unique_ptr<Timer> on_wall_set(std::function<void()> callback) = 0;

  // The number of timers that wait: for the metric keelson_timers, and for tests that look for leaks.
  [[nodiscard]] virtual std::size_t pending() const { return 0; }
};

// The clock of a program. `executor` is the executor of the loop, which must outlive the clock.
[[nodiscard]] std::unique_ptr<Clock> make_real_clock(boost::asio::any_io_executor executor);

// Suspends the calling coroutine. Terminal cancellation ends the wait: the coroutine unwinds.
[[nodiscard]] boost::asio::awaitable<void> sleep_until(Clock& clock, TimePoint when);
[[nodiscard]] boost::asio::awaitable<void> sleep_for(Clock& clock, Duration duration);

}  // namespace keelson::async
