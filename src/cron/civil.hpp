// Calendar arithmetic with plain numbers: days since 1970, and their year, month and day.
#pragma once

#include <chrono>
#include <cstdint>

namespace keelson::cron {

inline constexpr std::int64_t kMinute = 60;
inline constexpr std::int64_t kHour = 60 * kMinute;
inline constexpr std::int64_t kDay = 24 * kHour;

struct Date {
  int year;
  unsigned month;  // 1 to 12
  unsigned day;    // from 1
};

// Callers ensure that the year is within std::chrono's ±32767.
[[nodiscard]] inline Date date_of(std::int64_t days) {
  const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{days}}};
  return {int(date.year()), unsigned(date.month()), unsigned(date.day())};
}

// `month` and `day` may be beyond their ranges, and are carried over, as in Go's time.Date.
[[nodiscard]] inline std::int64_t days_until(int year, unsigned month, unsigned day) {
  const unsigned months = month - 1;
  const std::chrono::sys_days first(std::chrono::year(year + static_cast<int>(months / 12)) /
                                    std::chrono::month(months % 12 + 1) / std::chrono::day(1));
  return first.time_since_epoch().count() + static_cast<std::int64_t>(day) - 1;
}

[[nodiscard]] inline unsigned days_in_month(int year, unsigned month) {
  return static_cast<unsigned>(days_until(year, month + 1, 1) - days_until(year, month, 1));
}

// 0 is Sunday.
[[nodiscard]] constexpr unsigned weekday_of(std::int64_t days) {
  const std::int64_t rest = (days + 4) % 7;
  return static_cast<unsigned>(rest < 0 ? rest + 7 : rest);
}

[[nodiscard]] constexpr std::int64_t floor_divide(std::int64_t value, std::int64_t by) {
  return value / by - (value % by < 0 ? 1 : 0);
}

}  // namespace keelson::cron
