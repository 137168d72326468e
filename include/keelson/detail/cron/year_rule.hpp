// The rule at the end of a TZif file: the changes of the offset in years beyond the list of changes.
//
// The quoted texts are those of POSIX' TZ variable, as RFC 8536 has them. For schedules use zone.hpp, which applies the
// rule where the list ends. The zone compiler (tools/) uses it too.
#pragma once

#include <cstdint>
#include <limits>

namespace keelson::cron {

// Seconds since 1970, UTC. The sources of this room use plain numbers, as the data does.
using Instant = std::int64_t;
// Later than any instant, and small enough that differences do not overflow.
inline constexpr Instant kAlways = std::numeric_limits<Instant>::max() / 4;

// A day of the year and the seconds after its midnight, in local time before the change.
struct YearRule {
  enum class Kind : std::uint8_t {
    kWeekday,     // "M3.5.0": the `week`th `weekday` of `month`; 5 is the last one
    kDayOfYear,   // "90": `day` from 0, the leap day counts
    kSameInYear,  // "J91": `day` from 1, the leap day does not count
  };
  Kind kind = Kind::kWeekday;
  std::uint8_t month = 0;
  std::uint8_t week = 0;
  std::uint8_t weekday = 0;
  std::uint16_t day = 0;
  std::int32_t time = 0;  // may be negative or more than a day

  friend bool operator==(const YearRule&, const YearRule&) = default;
};

// The same two changes each year; `daylight` may be less than `standard`, as in Ireland.
struct TailRule {
  std::int32_t standard = 0;  // both are offsets from UTC in seconds, positive in the east
  std::int32_t daylight = 0;
  YearRule to_daylight;
  YearRule to_standard;

  friend bool operator==(const TailRule&, const TailRule&) = default;
};

// A time with one offset.
struct OffsetPeriod {
  Instant begin;
  Instant end;  // not in it
  std::int32_t offset;
};

// The instant of the change in `year`, if `offset` is in effect before it.
[[nodiscard]] Instant change_in(int year, const YearRule& rule, std::int32_t offset);

// The period at `time`, cut at the ends of its year (UTC): a period across New Year has two parts.
[[nodiscard]] OffsetPeriod period_by_rule(const TailRule& rule, Instant time);

}  // namespace keelson::cron
