#include "keelson/detail/cron/year_rule.hpp"

#include <algorithm>
#include <chrono>

#include "src/cron/civil.hpp"

namespace keelson::cron {

namespace {

// Days from 1 January.
std::int64_t day_in(int year, const YearRule& rule) {
  if (rule.kind == YearRule::Kind::kDayOfYear) return rule.day;
  const bool leap = std::chrono::year(year).is_leap();
  if (rule.kind == YearRule::Kind::kSameInYear) return rule.day - 1 + (leap && rule.day >= 60 ? 1 : 0);
  const std::int64_t first = days_until(year, rule.month, 1);
  unsigned day = (rule.weekday + 7u - weekday_of(first)) % 7u + 7u * (rule.week - 1u);
  while (day >= days_in_month(year, rule.month)) day -= 7;
  return first + day - days_until(year, 1, 1);
}

}  // namespace

Instant change_in(int year, const YearRule& rule, std::int32_t offset) {
  return (days_until(year, 1, 1) + day_in(year, rule)) * kDay + rule.time - offset;
}

OffsetPeriod period_by_rule(const TailRule& rule, Instant time) {
  const int year = date_of(floor_divide(time, kDay)).year;
  const Instant to_daylight = change_in(year, rule.to_daylight, rule.standard);
  const Instant to_standard = change_in(year, rule.to_standard, rule.daylight);
  const Instant first = std::min(to_daylight, to_standard);
  const Instant second = std::max(to_daylight, to_standard);
  const bool summer_in_the_middle = to_daylight < to_standard;
  const std::int32_t outer = summer_in_the_middle ? rule.standard : rule.daylight;
  const std::int32_t inner = summer_in_the_middle ? rule.daylight : rule.standard;
  if (time < first) return {days_until(year, 1, 1) * kDay, first, outer};
  if (time < second) return {first, second, inner};
  return {second, days_until(year + 1, 1, 1) * kDay, outer};
}

}  // namespace keelson::cron
