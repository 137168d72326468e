#include "src/sandbox_program/fast_clock.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace keelson::sandbox_program {

namespace {

// 221 years: the sum with the time since 1970 still fits into 64 bits. A clock with speed 10,000 stops there after 8
// days.
constexpr double kLongest = 7e18;

async::Duration scaled(async::Duration duration, double factor) {
  auto product = std::clamp(static_cast<double>(duration.count()) * factor, -kLongest, kLongest);
  return async::Duration(std::llround(std::ceil(product)));
}

}  // namespace

FastClock::FastClock(async::Clock& clock, double speed)
    : clock_(clock), speed_(speed), start_(clock.now()), wall_start_(clock.wall_now()) {}

async::TimePoint FastClock::now() const { return start_ + scaled(clock_.now() - start_, speed_); }

async::WallTime FastClock::wall_now() const { return wall_start_ + scaled(clock_.now() - start_, speed_); }

std::unique_ptr<async::Timer> FastClock::call_at(async::TimePoint when, std::function<void()> callback) {
  return clock_.call_at(start_ + scaled(when - start_, 1 / speed_), std::move(callback));
}

std::unique_ptr<async::Timer> FastClock::on_wall_set(std::function<void()> callback) {
  return clock_.on_wall_set(std::move(callback));
}

}  // namespace keelson::sandbox_program
