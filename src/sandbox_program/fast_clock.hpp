// A clock that runs N times as fast as another one: `--speed`.
//
// Both have the same time at its construction. The other clock must outlive it and its timers.
#pragma once

#include "keelson/async/clock.hpp"

namespace keelson::sandbox_program {

class FastClock final : public async::Clock {
 public:
  FastClock(async::Clock& clock, double speed);

  [[nodiscard]] async::TimePoint now() const override;
  [[nodiscard]] async::WallTime wall_now() const override;
  [[nodiscard]] std::unique_ptr<async::Timer> call_at(async::TimePoint when, std::function<void()> callback) override;
  [[nodiscard]] std::unique_ptr<async::Timer> on_wall_set(std::function<void()> callback) override;
  [[nodiscard]] std::size_t pending() const override { return clock_.pending(); }

 private:
  async::Clock& clock_;
  double speed_;
  async::TimePoint start_;
  async::WallTime wall_start_;
};

}  // namespace keelson::sandbox_program
