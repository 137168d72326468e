// The search for the next firing: SpecSchedule.Next of robfig/cron v3.0.1, with jumps where it walks.
//
// It decides as v3 does, field after field, and around a change of the clocks it makes v3's very steps: what they lead
// to there is what users of Kubernetes see. Within a stretch of constant offset it jumps to the next bit that is set.
// Where v3 steps on the spot for ever (clocks put forward by half a day or more) it goes on with the first moment that
// exists.
#pragma once

#include <cstddef>
#include <optional>

#include "keelson/cron/schedule.hpp"
#include "src/cron/wall_clock.hpp"

namespace keelson::cron {

class Search {
 public:
  // `parts` is no `@every`, and outlives the search.
  Search(const ScheduleParts& parts, Zone zone, Instant after) : parts_(parts), clock_(zone, after + 1) {}

  [[nodiscard]] std::optional<Instant> run();
  // How often the clock was moved: what a search costs.
  [[nodiscard]] std::size_t steps() const { return steps_; }

 private:
  // Each leaves the clock at the first match of its field, or returns false when that field has begun anew, and the
  // larger ones must be looked at again.
  bool find_month();
  bool find_day();
  bool find_hour();
  bool find_minute();
  bool find_second();

  void next_month(const Date& date);
  void next_day(const Date& date);
  void repair_midnight();
  [[nodiscard]] std::uint32_t matching_days(const Date& date) const;
  void advance(std::int64_t unit, std::int64_t distance);
  // The first time that a field is advanced, what is smaller goes back to its beginning.
  [[nodiscard]] bool is_first_advance();

  const ScheduleParts& parts_;
  WallClock clock_;
  bool advanced_ = false;
  std::size_t steps_ = 0;
};

}  // namespace keelson::cron
