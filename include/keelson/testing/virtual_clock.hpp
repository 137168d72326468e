// A clock that stands still until a test moves it, with a wall clock of its own that a test may set.
//
// Time starts an hour after boot and on 2026-01-01T00:00:00Z; the wall moves along with it. Timers fire in the order
// of their times, those of one time in the order they were asked for.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "keelson/async/clock.hpp"

namespace keelson::testing {

class VirtualClock final : public async::Clock {
 public:
  VirtualClock();

  [[nodiscard]] async::TimePoint now() const override;
  [[nodiscard]] async::WallTime wall_now() const override;
  [[nodiscard]] std::unique_ptr<async::Timer> call_at(async::TimePoint when, std::function<void()> callback) override;

  [[nodiscard]] std::unique_ptr<async::Timer> on_wall_set(std::function<void()> callback) override;

  // What the calendar says from now on; the monotonic time is not touched. Who asked hears of it when time moves next.
  void set_wall(async::WallTime wall);

  // Moves time by `step` and makes the calls that become due, each at its own time.
  void advance(async::Duration step);

  // Moves time to the next timer and makes the calls of that one moment; false if there is no timer.
  bool advance_to_next();

  [[nodiscard]] std::optional<async::TimePoint> next_timer() const;
  [[nodiscard]] std::size_t timers() const;

 private:
  friend class VirtualTimer;
  friend class VirtualWallWatch;
  struct State {
    using Key = std::pair<async::TimePoint, std::uint64_t>;
    async::TimePoint now;
    async::Duration wall_offset{};
    std::uint64_t asked = 0;
    std::map<Key, std::function<void()>> calls;
    std::map<std::uint64_t, std::function<void()>> on_wall_set;
  };
  void call_due(async::TimePoint until);

  std::shared_ptr<State> state_;  // shared with the timers, which a failing test may leave behind
};

}  // namespace keelson::testing
