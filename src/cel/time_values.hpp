// Parsing and formatting timestamps and durations.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "keelson/detail/cel/value.hpp"

namespace keelson::cel {

// From the beginning of year 1 to the end of year 9999.
[[nodiscard]] inline bool is_timestamp_second(std::int64_t second) {
  return second >= -62'135'596'800 && second <= 253'402'300'799;
}

// Parses RFC 3339; else an error value.
[[nodiscard]] Value parse_timestamp_value(std::string_view text);
// Parses Go's syntax of durations; else an error value.
[[nodiscard]] Value parse_duration_value(std::string_view text);

[[nodiscard]] std::string timestamp_text(const Value& timestamp);
// "3.5s"
[[nodiscard]] std::string duration_text(const Value& duration);

}  // namespace keelson::cel
