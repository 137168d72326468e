// The example of include/keelson/cron/schedule.hpp.
#include <chrono>
#include <string>

#include "keelson/base/result.hpp"
#include "keelson/base/try.hpp"
#include "keelson/cron/schedule.hpp"
#include "keelson/detail/cron/zone.hpp"

namespace keelson::examples {

// [schedule]
// The next run after `now`, as clocks in Berlin show it: "2024-03-29T18:40:00+01:00".
Result<std::string> next_run(std::chrono::system_clock::time_point now) {
  KEELSON_LET(auto zone, cron::Zone::find("Europe/Berlin"));
  KEELSON_LET(auto schedule, cron::Schedule::parse("*/20 8-18 * * mon-fri", zone));
  auto next = schedule.next(std::chrono::floor<std::chrono::seconds>(now));
  if (!next) return invalid_error("the schedule does not fire within five years");
  return cron::format_rfc3339(*next, zone);
}
// [end]

}  // namespace keelson::examples
