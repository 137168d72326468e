#include "keelson/cron/schedule.hpp"

#include <algorithm>

#include "src/cron/search.hpp"

namespace keelson::cron {

namespace {

using std::chrono::seconds;
using std::chrono::sys_seconds;

// The years that RFC 3339 can represent.
constexpr sys_seconds kEarliest = std::chrono::sys_days(std::chrono::year(0) / 1 / 1);
constexpr sys_seconds kEnd = std::chrono::sys_days(std::chrono::year(10000) / 1 / 1);
// The result of next() may be five years later, and next() of this result is nullopt.
constexpr sys_seconds kLastFiring = std::chrono::sys_days(std::chrono::year(10006) / 1 / 1);

[[nodiscard]] bool is_within(const std::optional<sys_seconds>& firing, sys_seconds until) {
  return firing && *firing <= until;
}

// The latest firing by `until`, if `known` is a firing. It bisects: next() of the middle either finds a later firing,
// or there is none after the middle.
sys_seconds latest(const Schedule& schedule, sys_seconds known, sys_seconds until) {
  for (auto none_after = until;;) {
    const auto following = schedule.next(known);
    if (!is_within(following, until)) return known;
    known = *following;
    if (known >= none_after) continue;
    const auto middle = known + (none_after - known) / 2;
    const auto later = schedule.next(middle);
    if (is_within(later, until)) {
      known = *later;
    } else {
      none_after = middle;
    }
  }
}

}  // namespace

std::optional<sys_seconds> Schedule::next(sys_seconds after) const {
  if (after < kEarliest || after >= kEnd) return std::nullopt;
  if (is_every()) return after + parts_.every;
  const auto found = Search(parts_, zone_, after.time_since_epoch().count()).run();
  if (!found) return std::nullopt;
  return sys_seconds(seconds(*found));
}

std::optional<Schedule::Missed> Schedule::missed(sys_seconds after, sys_seconds until, std::size_t limit) const {
  Missed missed{after, 0};
  while (missed.count <= limit) {
    const auto firing = next(missed.latest);
    if (!is_within(firing, until)) return missed.count > 0 ? std::optional(missed) : std::nullopt;
    missed = {*firing, missed.count + 1};
  }
  if (is_every()) {
    const auto within = std::max(missed.latest, std::min(until, kEnd));
    missed.latest += (within - missed.latest) / parts_.every * parts_.every;
    const auto beyond = next(missed.latest);
    if (is_within(beyond, until)) missed.latest = *beyond;
  } else {
    missed.latest = latest(*this, missed.latest, std::min(until, kLastFiring));
  }
  return missed;
}

}  // namespace keelson::cron
