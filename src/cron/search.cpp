#include "src/cron/search.hpp"

#include <bit>
#include <utility>

namespace keelson::cron {

namespace {

constexpr int kYears = 5;

[[nodiscard]] constexpr bool has_bit(std::uint64_t bits, unsigned value) { return (bits >> value & 1) != 0; }

// The first value above `value` whose bit is set, or `end`.
[[nodiscard]] constexpr unsigned next_bit(std::uint64_t bits, unsigned value, unsigned end) {
  const auto above = bits >> value >> 1;
  return above == 0 ? end : value + 1 + static_cast<unsigned>(std::countr_zero(above));
}

}  // namespace

std::optional<Instant> Search::run() {
  // A field without values never matches; v3 walks through five years to find this.
  if (parts_.minutes == 0 || parts_.hours == 0 || parts_.months == 0) return std::nullopt;
  if (parts_.days == 0 && parts_.weekdays == 0) return std::nullopt;
  const int last_year = clock_.date().year + kYears;
  while (clock_.date().year <= last_year) {
    if (find_month() && find_day() && find_hour() && find_minute() && find_second()) return clock_.time();
  }
  return std::nullopt;
}

bool Search::is_first_advance() { return !std::exchange(advanced_, true); }

bool Search::find_month() {
  for (auto date = clock_.date(); !has_bit(parts_.months, date.month); date = clock_.date()) {
    if (is_first_advance()) {
      clock_.move_to_wall(days_until(date.year, date.month, 1) * kDay);
      date = clock_.date();
    }
    next_month(date);
    if (clock_.date().month == 1) return false;
  }
  return true;
}

void Search::next_month(const Date& date) {
  ++steps_;
  clock_.move_to_wall(days_until(date.year, date.month + 1, date.day) * kDay + clock_.second_of_day());
}

bool Search::find_day() {
  for (auto date = clock_.date(); !has_bit(matching_days(date), date.day); date = clock_.date()) {
    if (is_first_advance()) {
      clock_.move_to_wall(days_until(date.year, date.month, date.day) * kDay);
      date = clock_.date();
    }
    next_day(date);
    if (clock_.date().day == 1) return false;
  }
  return true;
}

// The days of the month of `date` that the two day fields match, a bit per day.
std::uint32_t Search::matching_days(const Date& date) const {
  const unsigned first_weekday = weekday_of(days_until(date.year, date.month, 1));
  // The weekdays, rotated so that bit 0 is the first of the month, and repeated for five weeks.
  const std::uint64_t week = (parts_.weekdays >> first_weekday | parts_.weekdays << (7 - first_weekday)) & 0x7f;
  const std::uint64_t weeks = week | week << 7 | week << 14 | week << 21 | week << 28;
  const auto by_weekday = static_cast<std::uint32_t>(weeks << 1 & 0xffffffff);
  return parts_.both_days ? parts_.days & by_weekday : parts_.days | by_weekday;
}

void Search::next_day(const Date& date) {
  ++steps_;
  const unsigned end = days_in_month(date.year, date.month) + 1;
  const std::int64_t target = std::min(next_bit(matching_days(date), date.day, end), end) - date.day;
  // Jump from midnight to midnight while the offset is constant: there v3's steps change only the day.
  const std::int64_t reach = clock_.second_of_day() == 0 ? clock_.reach() / kDay : 0;
  if (const auto days = std::min(target, reach); days >= 1) {
    clock_.move_to(clock_.time() + days * kDay);
    return;
  }
  const Instant before = clock_.time();
  const Instant end_of_period = clock_.period().end;
  clock_.move_to_wall(clock_.wall() + kDay);
  repair_midnight();
  // The next midnight is skipped by half a day or more, and v3 would loop forever.
  if (clock_.time() <= before) clock_.move_to(end_of_period);
}

// If midnight is skipped, Go's time.Date returns 23:00 or 01:00.
void Search::repair_midnight() {
  const std::int64_t hour = clock_.hour();
  if (hour > 12) {
    clock_.move_to(clock_.time() + (24 - hour) * kHour);
  } else if (hour != 0) {
    clock_.move_to(clock_.time() - hour * kHour);
  }
}

bool Search::find_hour() {
  for (auto hour = clock_.hour(); !has_bit(parts_.hours, hour); hour = clock_.hour()) {
    if (is_first_advance()) {
      const auto hours = floor_divide(clock_.wall(), kHour);
      clock_.move_to_wall(hours * kHour);
      hour = clock_.hour();
    }
    advance(kHour, next_bit(parts_.hours, hour, 24) - hour);
    if (clock_.hour() == 0) return false;
  }
  return true;
}

bool Search::find_minute() {
  for (auto minute = clock_.minute(); !has_bit(parts_.minutes, minute); minute = clock_.minute()) {
    // v3 rounds to minutes of UTC, which differ from local minutes if the offset has seconds.
    if (is_first_advance()) {
      clock_.move_to(floor_divide(clock_.time(), kMinute) * kMinute);
      minute = clock_.minute();
    }
    advance(kMinute, next_bit(parts_.minutes, minute, 60) - minute);
    if (clock_.minute() == 0) return false;
  }
  return true;
}

bool Search::find_second() {
  while (clock_.second() != 0) {
    advanced_ = true;
    advance(1, 60 - clock_.second());
    if (clock_.second() == 0) return false;
  }
  return true;
}

// Moves the clock by `distance` units, or by one if the offset changes before that.
void Search::advance(std::int64_t unit, std::int64_t distance) {
  ++steps_;
  const Instant target = clock_.time() + unit * distance;
  clock_.move_to(target < clock_.period().end ? target : clock_.time() + unit);
}

}  // namespace keelson::cron
