// A clock that stands still until a test moves it, with a wall clock that a test may set.
//
// Time starts an hour after boot and on 2026-01-01T00:00:00Z. The wall clock moves with the monotonic time. Timers fire
// in the order of their times, and timers of the same time in the order of their creation.
//
// TestLoop owns one and moves it; a test of code without coroutines may use its own and call advance(). Timers may
// outlive the clock; they never fire then.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "keelson/async/clock.hpp"

namespace keelson::sandbox::loop {

class VirtualClock final : public async::Clock {
 public:
  VirtualClock();

  // As in async::Clock, but callbacks are called from within advance() and advance_to_next().
  [[nodiscard]] async::TimePoint now() const override;
  [[nodiscard]] async::WallTime wall_now() const override;
  [[nodiscard]] std::unique_ptr<async::Timer> call_at(async::TimePoint when, std::function<void()> callback) override;

  [[nodiscard]] std::unique_ptr<async::Timer> on_wall_set(std::function<void()> callback) override;

  // Sets the wall clock; the monotonic time does not change. The callbacks of on_wall_set() are called when time next
  // moves, as if the administrator had set the system's clock.
  void set_wall(async::WallTime wall);

  // Moves time by `step` and calls the timers that become due, each at its own time. A timer that a callback adds
  // fires in the next call, even if it is due: otherwise a delay of zero would never end.
  void advance(async::Duration step);

  // Moves time to the next timer and calls all timers of that moment. Returns false if there is no timer.
  bool advance_to_next();

  // The time of the next timer; nullopt if there is none.
  [[nodiscard]] std::optional<async::TimePoint> next_timer() const;
  // The number of timers that have neither fired nor been destroyed: a way to find leaked ones.
  [[nodiscard]] std::size_t timers() const;

 private:
  friend class VirtualTimer;
  friend class VirtualWallWatch;
  struct State {
    using Key = std::pair<async::TimePoint, std::uint64_t>;
    async::TimePoint now;
    async::Duration wall_offset{};
    std::uint64_t asked = 0;  // timers so far; the second part of a key, for the order among equal times
    std::map<Key, std::function<void()>> calls;
    std::map<std::uint64_t, std::function<void()>> on_wall_set;
  };
  void call_due(async::TimePoint until);

  std::shared_ptr<State> state_;  // shared with the timers, which a failing test may leave behind
};

}  // namespace keelson::sandbox::loop
