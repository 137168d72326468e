// Parsing and formatting timestamps and durations.
#pragma once

#include <string>
#include <string_view>

#include "keelson/detail/cel/value.hpp"

namespace keelson::cel {

// Parses RFC 3339; else an error value.
[[nodiscard]] Value parse_timestamp_value(std::string_view text);
// Parses Go's syntax of durations; else an error value.
[[nodiscard]] Value parse_duration_value(std::string_view text);

[[nodiscard]] std::string timestamp_text(const Value& timestamp);
// "3.5s"
[[nodiscard]] std::string duration_text(const Value& duration);

}  // namespace keelson::cel
