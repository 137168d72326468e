// Instants, zones and schedules written as text, for the tests of this room.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <cstdio>
#include <string>
#include <string_view>

#include "keelson/cron/schedule.hpp"

namespace keelson::testing {

// "2024-01-01T00:00:00Z", always UTC.
inline std::chrono::sys_seconds at(const std::string& text) {
  int year = 0;
  unsigned month = 0;
  unsigned day = 0;
  int hour = 0;
  int minute = 0;
  int second = 0;
  const int read =
      std::sscanf(text.c_str(), "%d-%u-%uT%d:%d:%dZ", &year, &month, &day, &hour, &minute, &second);  // NOLINT
  INFO(text);
  REQUIRE(read == 6);
  const std::chrono::sys_days date(std::chrono::year(year) / std::chrono::month(month) / std::chrono::day(day));
  return date + std::chrono::hours(hour) + std::chrono::minutes(minute) + std::chrono::seconds(second);
}

inline cron::Zone in_zone(std::string_view name) {
  const auto zone = cron::Zone::find(name);
  INFO(name);
  REQUIRE(zone.has_value());
  return *zone;
}

inline cron::Schedule schedule(const std::string& expression) {
  const auto parsed = cron::Schedule::parse(expression);
  INFO(expression << ": " << (parsed ? "" : parsed.error().text));
  REQUIRE(parsed.has_value());
  return *parsed;
}

}  // namespace keelson::testing
