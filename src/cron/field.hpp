// A field of a cron expression: a comma-separated list of values, ranges and steps, as a bit per matching value.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "keelson/base/result.hpp"

namespace keelson::cron {

struct Bounds {
  unsigned min;
  unsigned max;
  std::span<const std::string_view> names = {};  // the names of the values from `min` on
};

struct Field {
  std::uint64_t bits = 0;
  bool star = false;  // v3's star bit: an item is `*` or `?`, with a step of 1 at most
};

// Empty items are dropped. Therefore "," is a field without values, which never matches.
[[nodiscard]] Result<Field> parse_field(std::string_view text, const Bounds& bounds);

extern const Bounds kMinutes;
extern const Bounds kHours;
extern const Bounds kDays;
extern const Bounds kMonths;
extern const Bounds kWeekdays;

}  // namespace keelson::cron
