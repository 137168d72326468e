// Any text as a schedule, at any instant: it is rejected with a text, or its firings are in ascending order, match the
// fields of the schedule, and are all counted. The first eight bytes are the instant.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "keelson/cron/schedule.hpp"
#include "keelson/detail/base/assert.hpp"
#include "src/cron/civil.hpp"
#include "src/cron/search.hpp"

namespace {

using namespace keelson;
using std::chrono::sys_seconds;

std::int64_t seconds_of(sys_seconds time) { return time.time_since_epoch().count(); }

// Any instant; half of them are mapped to the years 1900 to 2200, in which zones change.
sys_seconds instant_from(std::string_view bytes) {
  std::uint64_t value = 0;
  for (const char c : bytes) value = value << 8 | static_cast<unsigned char>(c);
  constexpr std::uint64_t kCenturies = 9'467'280'000;
  const auto folded = static_cast<std::int64_t>(value % kCenturies) - 2'208'988'800;
  return sys_seconds(std::chrono::seconds((value & 1) == 0 ? folded : static_cast<std::int64_t>(value)));
}

// Only if the offset has not changed within two days; around a change v3's own steps decide.
void check_fields(const cron::Schedule& schedule, sys_seconds firing) {
  const auto period = schedule.zone().period_at(firing);
  if (schedule.is_every() || firing - period.begin < std::chrono::days(2)) return;
  const auto wall = seconds_of(firing + period.offset);
  const auto days = cron::floor_divide(wall, cron::kDay);
  const auto rest = wall - days * cron::kDay;
  const auto date = cron::date_of(days);
  const auto& parts = schedule.parts();
  KEELSON_ASSERT(rest % 60 == 0);
  KEELSON_ASSERT((parts.minutes >> (rest / 60 % 60) & 1) != 0);
  KEELSON_ASSERT((parts.hours >> (rest / 3600) & 1) != 0);
  KEELSON_ASSERT((parts.months >> date.month & 1) != 0);
  const bool day = (parts.days >> date.day & 1) != 0;
  const bool weekday = (parts.weekdays >> cron::weekday_of(days) & 1) != 0;
  KEELSON_ASSERT(parts.both_days ? day && weekday : day || weekday);
}

void check_steps(const cron::Schedule& schedule, sys_seconds after) {
  if (schedule.is_every()) return;
  cron::Search search(schedule.parts(), schedule.zone(), seconds_of(after));
  static_cast<void>(search.run());
  KEELSON_ASSERT(search.steps() <= 1000);
}

void check_missed(const cron::Schedule& schedule, sys_seconds after, sys_seconds last, std::size_t count) {
  constexpr std::size_t kLimit = 2;
  const auto missed = schedule.missed(after, last, kLimit);
  KEELSON_ASSERT(missed.has_value());
  KEELSON_ASSERT(missed->latest > after && missed->latest <= last);
  KEELSON_ASSERT(missed->count == std::min(count, kLimit + 1));
  const auto following = schedule.next(missed->latest);
  KEELSON_ASSERT(!following || *following > last);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kInstantBytes = 8;
  std::string_view text(reinterpret_cast<const char*>(data), size);
  if (text.size() < kInstantBytes) return 0;
  const auto start = instant_from(text.substr(0, kInstantBytes));
  const auto schedule = cron::Schedule::parse(text.substr(kInstantBytes));
  if (!schedule) {
    KEELSON_ASSERT(!schedule.error().text.empty());
    return 0;
  }
  constexpr std::size_t kFirings = 6;
  auto last = start;
  std::size_t count = 0;
  for (; count < kFirings; ++count) {
    const auto next = schedule->next(last);
    if (!next) break;
    KEELSON_ASSERT(*next > last);
    check_fields(*schedule, *next);
    check_steps(*schedule, last);
    last = *next;
  }
  if (count == 0) {
    KEELSON_ASSERT(!schedule->missed(start, sys_seconds::max()).has_value());
    return 0;
  }
  check_missed(*schedule, start, last, count);
  // Ten years in a single step.
  const auto missed = schedule->missed(start, last + std::chrono::years(10));
  KEELSON_ASSERT(missed && missed->latest >= last);
  return 0;
}
