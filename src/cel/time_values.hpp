// Timestamps and durations: reading and writing them.
#pragma once

#include <string>
#include <string_view>

#include "keelson/cel/value.hpp"

namespace keelson::cel {

// RFC 3339, or an error.
[[nodiscard]] Value parse_timestamp_value(std::string_view text);
// As Go writes durations, or an error.
[[nodiscard]] Value parse_duration_value(std::string_view text);

[[nodiscard]] std::string timestamp_text(const Value& timestamp);
// "3.5s"
[[nodiscard]] std::string duration_text(const Value& duration);

}  // namespace keelson::cel
