#include "src/cron/wall_clock.hpp"

#include <algorithm>

namespace keelson::cron {

OffsetPeriod WallClock::look_up(Instant time) const {
  const auto period = zone_.period_at(std::chrono::sys_seconds(std::chrono::seconds(time)));
  return {period.begin.time_since_epoch().count(), period.end.time_since_epoch().count(),
          static_cast<std::int32_t>(period.offset.count())};
}

void WallClock::move_to(Instant time) {
  time_ = time;
  if (time < period_.begin || time >= period_.end) period_ = look_up(time);
}

void WallClock::move_to_wall(std::int64_t wall) {
  // Use the offset at `wall` as if it were UTC, and look it up again if the result is beyond a change of the offset.
  move_to(wall);
  const Instant guess = wall - period_.offset;
  if (guess < period_.begin || guess >= period_.end) period_ = look_up(guess);
  move_to(wall - period_.offset);
}

std::int64_t WallClock::reach() const {
  if (std::min(time_, wall()) < period_.begin) return -1;
  return period_.end - 1 - std::max(time_, wall());
}

}  // namespace keelson::cron
