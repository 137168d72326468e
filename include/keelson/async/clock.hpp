// Time as a constructor parameter: what it is now, and a call when it is later.
//
// One of the seams. The real clock runs on the loop's timers and counts suspended time too
// (CLOCK_BOOTTIME: a lease does not pause with a laptop); the virtual one of test/support moves only
// when nothing is left to do.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <functional>
#include <memory>

namespace keelson::async {

// Monotonic, including suspend; no relation to a calendar.
struct BootClock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<BootClock>;
  static constexpr bool is_steady = true;
  [[nodiscard]] static time_point now();
};

using Duration = std::chrono::nanoseconds;
using TimePoint = BootClock::time_point;
using WallTime = std::chrono::time_point<std::chrono::system_clock, std::chrono::nanoseconds>;

// A call that has been asked for. Destroying it takes the request back; the call is then never made.
class Timer {
 public:
  virtual ~Timer() = default;
};

class Clock {
 public:
  virtual ~Clock() = default;

  [[nodiscard]] virtual TimePoint now() const = 0;
  [[nodiscard]] virtual WallTime wall_now() const = 0;

  // Calls `callback` once at `when` or a little later, from the loop, never from within this call.
  // The Timer must not outlive the clock.
  [[nodiscard]] virtual std::unique_ptr<Timer> call_at(TimePoint when, std::function<void()> callback) = 0;

  // Calls `callback` from the loop each time that the wall clock was set, and after the machine was suspended: what was
  // computed with wall_now() may not hold any more. Not for the small corrections of NTP, which this clock goes along
  // with. Until the Timer goes, which must not outlive the clock; null where the system cannot tell.
  [[nodiscard]] virtual std::unique_ptr<Timer> on_wall_set(std::function<void()> callback) = 0;

  // Calls that have been asked for and neither made nor taken back.
  [[nodiscard]] virtual std::size_t pending() const { return 0; }
};

// The clock of the running program. `executor` is the loop's.
[[nodiscard]] std::unique_ptr<Clock> make_real_clock(boost::asio::any_io_executor executor);

// Waits on the calling coroutine; terminal cancellation ends the wait by unwinding.
[[nodiscard]] boost::asio::awaitable<void> sleep_until(Clock& clock, TimePoint when);
[[nodiscard]] boost::asio::awaitable<void> sleep_for(Clock& clock, Duration duration);

}  // namespace keelson::async
