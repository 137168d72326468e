// An instant and what the clocks of its zone show there, moved as robfig/cron moves Go's time.Time.
//
// The offset in force is kept with the instant, so that only a step beyond its period looks the zone up again.
#pragma once

#include "keelson/cron/zone.hpp"
#include "src/cron/civil.hpp"
#include "src/cron/year_rule.hpp"

namespace keelson::cron {

class WallClock {
 public:
  WallClock(Zone zone, Instant time) : zone_(zone), time_(time), period_(look_up(time)) {}

  [[nodiscard]] Instant time() const { return time_; }
  [[nodiscard]] const OffsetPeriod& period() const { return period_; }
  // Seconds since 1970 as these clocks count them.
  [[nodiscard]] std::int64_t wall() const { return time_ + period_.offset; }
  [[nodiscard]] Date date() const { return date_of(floor_divide(wall(), kDay)); }
  [[nodiscard]] std::int64_t second_of_day() const { return wall() - floor_divide(wall(), kDay) * kDay; }
  [[nodiscard]] unsigned hour() const { return static_cast<unsigned>(second_of_day() / kHour); }
  [[nodiscard]] unsigned minute() const { return static_cast<unsigned>(second_of_day() / kMinute % 60); }
  [[nodiscard]] unsigned second() const { return static_cast<unsigned>(second_of_day() % 60); }

  void move_to(Instant time);
  // Go's time.Date: the instant at which clocks show `wall`. One that is skipped is taken by the offset on one side of
  // the gap, one that is repeated by one of its two offsets, and which depends on the zone.
  void move_to_wall(std::int64_t wall);

  // By how many seconds at most may the clock move on from here such that every wall time on the way, taken by itself,
  // is shown at this same offset? Negative when that does not even hold here.
  [[nodiscard]] std::int64_t reach() const;

 private:
  [[nodiscard]] OffsetPeriod look_up(Instant time) const;

  Zone zone_;
  Instant time_;
  OffsetPeriod period_;
};

}  // namespace keelson::cron
