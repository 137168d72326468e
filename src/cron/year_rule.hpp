// When clocks change in years for which no list of changes exists: the rule at the end of a TZif file.
#pragma once

#include <cstdint>
#include <limits>

namespace keelson::cron {

// Seconds since 1970, UTC. The sources of this room compute with plain numbers, as the data does.
using Instant = std::int64_t;
// Farther than any instant, and near enough that differences do not overflow.
inline constexpr Instant kAlways = std::numeric_limits<Instant>::max() / 4;

// A day of any year and the seconds after its midnight, by the clock that is about to change.
struct YearRule {
  enum class Kind : std::uint8_t {
    kWeekday,     // "M3.5.0": the `week`th `weekday` of `month`, 5 being the last
    kDayOfYear,   // "90": `day` from 0, the leap day counts
    kSameInYear,  // "J91": `day` from 1, the leap day does not count
  };
  Kind kind = Kind::kWeekday;
  std::uint8_t month = 0;
  std::uint8_t week = 0;
  std::uint8_t weekday = 0;
  std::uint16_t day = 0;
  std::int32_t time = 0;

  friend bool operator==(const YearRule&, const YearRule&) = default;
};

// The same two changes every year; `daylight` may be behind `standard`, as in Ireland.
struct TailRule {
  std::int32_t standard = 0;
  std::int32_t daylight = 0;
  YearRule to_daylight;
  YearRule to_standard;

  friend bool operator==(const TailRule&, const TailRule&) = default;
};

struct OffsetPeriod {
  Instant begin;
  Instant end;  // not in it
  std::int32_t offset;
};

// The instant in `year` at which clocks that stand at `offset` until then change.
[[nodiscard]] Instant change_in(int year, const YearRule& rule, std::int32_t offset);

// What holds at `time`. Cut at the ends of its year (UTC): a period that goes on is told in two parts.
[[nodiscard]] OffsetPeriod period_by_rule(const TailRule& rule, Instant time);

}  // namespace keelson::cron
