// When a cron expression fires: ParseStandard and Next of robfig/cron v3, which Kubernetes uses.
//
// A pure value of a few words: no clock, no allocation after parse(), copy it freely. Every call ends after a bounded
// number of steps, whatever the expression, the zone and the instant. Times are whole seconds: floor what is finer,
// as v3 does (`std::chrono::floor<std::chrono::seconds>`). docs/schedules.md has the grammar and the rules of DST.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "keelson/base/result.hpp"
#include "keelson/cron/zone.hpp"

namespace keelson::cron {

// What an expression says: either `every`, or a bit for each value that a field names (bit 1 is the first day).
struct ScheduleParts {
  std::uint64_t minutes = 0;
  std::uint32_t hours = 0;
  std::uint32_t days = 0;
  std::uint16_t months = 0;
  std::uint8_t weekdays = 0;
  bool both_days = false;  // v3's star bit: day of month and day of week must both match, else either will do
  std::chrono::seconds every{0};
};

class Schedule {
 public:
  // Five fields or a descriptor, with `TZ=<zone> ` or `CRON_TZ=<zone> ` before it if it likes. Without that, and for
  // `TZ=Local`, it is read in `zone`. Errors are v3's texts; where v3 panics: "invalid schedule format: …".
  [[nodiscard]] static Result<Schedule> parse(std::string_view expression, Zone zone = Zone::utc());

  // The first firing after `after`, never at it. Nothing when there is none within five years (v3's rule: by the end of
  // the fifth calendar year after that of `after`), and when `after` is outside the years 0 to 9999.
  [[nodiscard]] std::optional<std::chrono::sys_seconds> next(std::chrono::sys_seconds after) const;

  // The firings in (after, until] that next() leads through, of which only the latest matters to a controller.
  struct Missed {
    std::chrono::sys_seconds latest;
    std::size_t count;  // at most limit + 1, which stands for "more than limit"
  };
  // Nothing when there is none. Costs at most `limit` calls of next() and about a hundred more, for any distance.
  [[nodiscard]] std::optional<Missed> missed(std::chrono::sys_seconds after, std::chrono::sys_seconds until,
                                             std::size_t limit = 100) const;

  // The zone whose clocks it follows; `@every` follows none, and keeps the one it was given.
  [[nodiscard]] Zone zone() const { return zone_; }
  // `@every`: fires a fixed time after wherever one starts to count, so its phase is the caller's.
  [[nodiscard]] bool is_every() const { return parts_.every.count() > 0; }
  [[nodiscard]] const ScheduleParts& parts() const { return parts_; }

 private:
  explicit Schedule(Zone zone) : zone_(zone) {}

  ScheduleParts parts_;
  Zone zone_;
};

}  // namespace keelson::cron
