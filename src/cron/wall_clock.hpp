// WallClock: an instant and its local time in a zone, moved as robfig/cron moves Go's time.Time.
//
// It stores the current offset and its period, so that only a step beyond the period looks up the zone.
#pragma once

#include "keelson/detail/cron/year_rule.hpp"
#include "keelson/detail/cron/zone.hpp"
#include "src/cron/civil.hpp"

namespace keelson::cron {

class WallClock {
 public:
  WallClock(Zone zone, Instant time) : zone_(zone), time_(time), period_(look_up(time)) {}

  [[nodiscard]] Instant time() const { return time_; }
  [[nodiscard]] const OffsetPeriod& period() const { return period_; }
  // Local time as seconds since 1970.
  [[nodiscard]] std::int64_t wall() const { return time_ + period_.offset; }
  [[nodiscard]] Date date() const { return date_of(floor_divide(wall(), kDay)); }
  [[nodiscard]] std::int64_t second_of_day() const { return wall() - floor_divide(wall(), kDay) * kDay; }
  [[nodiscard]] unsigned hour() const { return static_cast<unsigned>(second_of_day() / kHour); }
  [[nodiscard]] unsigned minute() const { return static_cast<unsigned>(second_of_day() / kMinute % 60); }
  [[nodiscard]] unsigned second() const { return static_cast<unsigned>(second_of_day() % 60); }

  void move_to(Instant time);
  // Go's time.Date: the instant with the local time `wall`. A skipped local time uses the offset on one side of the
  // gap, and a repeated one uses one of its two offsets; which one depends on the zone.
  void move_to_wall(std::int64_t wall);

  // The largest number of seconds by which the clock can move while each local time on the way maps to the current
  // offset. Negative if this is not true at the current time.
  [[nodiscard]] std::int64_t reach() const;

 private:
  [[nodiscard]] OffsetPeriod look_up(Instant time) const;

  Zone zone_;
  Instant time_;
  OffsetPeriod period_;
};

}  // namespace keelson::cron
