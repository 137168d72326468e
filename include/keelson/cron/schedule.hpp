// Schedule: the times at which a cron expression fires, as ParseStandard and Next of robfig/cron v3 compute them.
//
// Room `cron` has schedules and time zones as pure functions: this header, and zone.hpp for zones and RFC 3339.
// Kubernetes uses robfig/cron v3, so its results count, also where they surprise. docs/schedules.md has the grammar,
// the rules for daylight saving time, and the differences from v3.
//
// Ownership: a Schedule is a value of a few words that refers only to constant data; copy it freely. It reads no clock,
// does not allocate after parse(), and never waits, so there is no cancellation. Each call ends after a bounded number
// of steps, for any expression, zone and time, so it may run on the loop.
//
// Times are UTC in whole seconds: round down with `std::chrono::floor<std::chrono::seconds>`, as v3 does.
//
// Example (test/examples/cron.cpp#schedule):
//   // The next run after `now`, as clocks in Berlin show it: "2024-03-29T18:40:00+01:00".
//   Result<std::string> next_run(std::chrono::system_clock::time_point now) {
//     KEELSON_LET(auto zone, cron::Zone::find("Europe/Berlin"));
//     KEELSON_LET(auto schedule, cron::Schedule::parse("*/20 8-18 * * mon-fri", zone));
//     auto next = schedule.next(std::chrono::floor<std::chrono::seconds>(now));
//     if (!next) return invalid_error("the schedule does not fire within five years");
//     return cron::format_rfc3339(*next, zone);
//   }
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "keelson/base/result.hpp"
#include "keelson/detail/cron/zone.hpp"

namespace keelson::cron {

// A parsed expression: either `every`, or a bit for each value that a field matches (in `days` bit 1 is the first day
// of the month, in `months` bit 1 is January, in `weekdays` bit 0 is Sunday).
struct ScheduleParts {
  std::uint64_t minutes = 0;
  std::uint32_t hours = 0;
  std::uint32_t days = 0;
  std::uint16_t months = 0;
  std::uint8_t weekdays = 0;
  bool both_days =
      false;  // v3's star bit: day of month and day of week must both match; otherwise one of them suffices
  std::chrono::seconds every{0};  // of `@every`; at least 1 s, and 0 for five fields
};

class Schedule {
 public:
  // `expression` has five fields or is a descriptor such as `@daily`, optionally after `TZ=<zone> ` or
  // `CRON_TZ=<zone> `. Without a zone, and for `TZ=Local`, the schedule follows `zone`. Errors are kInvalid with the
  // texts of v3; where v3 panics: "invalid schedule format: …". An expression is at most 1024 bytes.
  [[nodiscard]] static Result<Schedule> parse(std::string_view expression, Zone zone = Zone::utc());

  // The first time after `after`, never equal to it, at which the schedule fires. nullopt if it does not fire until the
  // end of the fifth calendar year after that of `after` (v3's rule), or if `after` is outside of the years 0 to 9999.
  [[nodiscard]] std::optional<std::chrono::sys_seconds> next(std::chrono::sys_seconds after) const;

  // The times in (after, until] at which the schedule fires, of which a controller runs only the latest.
  struct Missed {
    std::chrono::sys_seconds latest;
    std::size_t count;  // at most limit + 1, which means "more than limit"
  };
  // nullopt if there is none. It calls next() at most `limit` times and about a hundred times more, for any distance.
  [[nodiscard]] std::optional<Missed> missed(std::chrono::sys_seconds after, std::chrono::sys_seconds until,
                                             std::size_t limit = 100) const;

  // The zone of the schedule: that of the expression, or else of parse(). It has no effect on `@every`.
  [[nodiscard]] Zone zone() const { return zone_; }
  // True for `@every`, which fires at a fixed distance from `after`: the caller determines the phase.
  [[nodiscard]] bool is_every() const { return parts_.every.count() > 0; }
  [[nodiscard]] const ScheduleParts& parts() const { return parts_; }

 private:
  explicit Schedule(Zone zone) : zone_(zone) {}

  ScheduleParts parts_;
  Zone zone_;
};

}  // namespace keelson::cron
