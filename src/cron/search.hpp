// Search: the next firing of a schedule, SpecSchedule.Next of robfig/cron v3.0.1, with jumps in place of its loops.
//
// It evaluates the fields in v3's order, and near a change of the offset it makes exactly v3's steps, because users of
// Kubernetes know their results. Within a period of constant offset it jumps to the next bit that is set. Where v3
// loops forever (clocks set forward by half a day or more), it continues with the first time that exists.
#pragma once

#include <cstddef>
#include <optional>

#include "keelson/cron/schedule.hpp"
#include "src/cron/wall_clock.hpp"

namespace keelson::cron {

class Search {
 public:
  // `parts` must not be `@every`, and must outlive the search.
  Search(const ScheduleParts& parts, Zone zone, Instant after) : parts_(parts), clock_(zone, after + 1) {}

  [[nodiscard]] std::optional<Instant> run();
  // The number of moves of the clock: the cost of the search.
  [[nodiscard]] std::size_t steps() const { return steps_; }

 private:
  // Each moves the clock to the first match of its field. False if the field has wrapped around, so that the larger
  // fields must be checked again.
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
  // True once: the first time that a field is advanced, all smaller fields are reset.
  [[nodiscard]] bool is_first_advance();

  const ScheduleParts& parts_;
  WallClock clock_;
  bool advanced_ = false;
  std::size_t steps_ = 0;
};

}  // namespace keelson::cron
