// Times as text, in the format of RFC 3339: "2006-01-02T15:04:05.5+01:00". Like Go's time.Parse, except that "t" and
// "z" may be lower case.
#pragma once

#include <chrono>
#include <optional>
#include <string>
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

// The time in a zone with this offset: "2006-01-02T16:04:05+01:00", with "Z" if the offset is zero.
[[nodiscard]] std::string format_rfc3339(std::chrono::sys_seconds time, std::chrono::seconds offset = {});
// "+01:00" with the separator ":", "+0100" with "". Seconds are cut off, as in Go: -00:44:30 is "-00:44".
[[nodiscard]] std::string format_utc_offset(std::chrono::seconds offset, const char* separator);

}  // namespace keelson::base
