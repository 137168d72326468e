// Times as text, in the format of RFC 3339: "2006-01-02T15:04:05.5+01:00". Like Go's time.Parse, except that "t" and
// "z" may be lower case.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace keelson::base {

// A time in UTC. The seconds are separate because they span the years 0 to 9999, which nanoseconds in 64 bits cannot.
struct Rfc3339Time {
  std::chrono::sys_seconds second;
  std::chrono::nanoseconds fraction;  // 0 to 999,999,999; further digits are dropped
};

// Absent if `text` is anything else: a date without a time, a leap second, a fraction without digits. An offset has up
// to 24 hours, as in Go.
[[nodiscard]] std::optional<Rfc3339Time> parse_rfc3339(std::string_view text);

}  // namespace keelson::base
