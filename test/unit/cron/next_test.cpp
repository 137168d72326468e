// The next firing of schedules: calendar, daylight saving time, the five years, and the cost of a search.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "keelson/cron/schedule.hpp"
#include "src/cron/search.hpp"
#include "test/unit/cron/instants.hpp"

namespace {

using keelson::cron::Schedule;
using keelson::cron::Search;
using keelson::cron::Zone;
using keelson::testing::at;
using keelson::testing::in_zone;
using keelson::testing::schedule;

// The next firing in local time of the schedule's zone.
std::string next_of(const std::string& expression, const std::string& after) {
  const auto parsed = schedule(expression);
  const auto next = parsed.next(at(after));
  return next ? format_rfc3339(*next, parsed.zone()) : "never";
}

struct Row {
  std::string expression;
  std::string after;
  std::string next;
};

void check(const std::vector<Row>& rows) {
  for (const auto& row : rows) {
    INFO(row.expression << " after " << row.after);
    CHECK(next_of(row.expression, row.after) == row.next);
  }
}

}  // namespace

TEST_CASE("the next firing is strictly later and matches the calendar") {
  check({
      {"* * * * *", "2024-01-01T00:00:00Z", "2024-01-01T00:01:00Z"},
      {"* * * * *", "2024-01-01T00:00:59Z", "2024-01-01T00:01:00Z"},
      {"*/15 * * * *", "2012-07-09T14:59:59Z", "2012-07-09T15:00:00Z"},
      {"20-35/15 * * * *", "2012-07-09T15:45:00Z", "2012-07-09T16:20:00Z"},
      {"0 0 1 * *", "2023-12-15T08:00:00Z", "2024-01-01T00:00:00Z"},
      {"0 0 29 2 *", "2024-02-29T00:00:00Z", "2028-02-29T00:00:00Z"},
      {"0 0 31 * *", "2024-01-31T00:00:00Z", "2024-03-31T00:00:00Z"},
      {"59 23 31 12 *", "2024-12-31T23:59:00Z", "2025-12-31T23:59:00Z"},
      {"0 0 * feb mon", "2012-07-09T23:35:00Z", "2013-02-04T00:00:00Z"},
      {"@every 90s", "2012-07-09T14:45:30Z", "2012-07-09T14:47:00Z"},
  });
}

TEST_CASE("day of month and day of week must both match if one has a star, otherwise either of them") {
  check({
      {"0 0 */2 * 1", "2024-01-01T00:00:00Z", "2024-01-03T00:00:00Z"},
      {"0 0 */1 * 1", "2024-01-01T00:00:00Z", "2024-01-08T00:00:00Z"},
      {"0 0 13 * 5", "2024-01-01T00:00:00Z", "2024-01-05T00:00:00Z"},
      {"0 0 13 * *", "2024-01-01T00:00:00Z", "2024-01-13T00:00:00Z"},
      {"0 0 * * 5", "2024-01-06T00:00:00Z", "2024-01-12T00:00:00Z"},
  });
}

TEST_CASE("a schedule does not fire in a skipped hour, and fires twice in a repeated one") {
  check({
      {"TZ=America/New_York 0 2 * * *", "2012-03-11T06:59:00Z", "2012-03-12T02:00:00-04:00"},
      {"TZ=America/New_York 30 2 11 3 *", "2012-03-11T05:00:00Z", "2013-03-11T02:30:00-04:00"},
      {"TZ=America/New_York 0 1 * * *", "2012-11-04T04:00:00Z", "2012-11-04T01:00:00-04:00"},
      {"TZ=America/New_York 0 1 * * *", "2012-11-04T05:00:00Z", "2012-11-04T01:00:00-05:00"},
      {"TZ=America/New_York 0 * * * *", "2012-03-11T06:59:00Z", "2012-03-11T03:00:00-04:00"},
      {"TZ=Europe/London 30 1 * * *", "2024-10-27T00:00:00Z", "2024-10-27T01:30:00+01:00"},
      {"TZ=Europe/London 30 1 * * *", "2024-10-27T00:30:00Z", "2024-10-27T01:30:00Z"},
  });
}

TEST_CASE("near a skipped midnight the results equal those of robfig/cron v3") {
  check({
      {"TZ=America/Sao_Paulo 0 0 * * *", "2018-11-03T03:00:00Z", "2018-11-05T00:00:00-02:00"},
      {"TZ=America/Sao_Paulo 0 9 * * 6", "2018-11-03T12:00:00Z", "2018-11-04T09:00:00-02:00"},
      {"TZ=Australia/Lord_Howe 0 3 * * *", "2024-10-04T15:00:00Z", "2024-10-05T03:00:00+10:30"},
      {"TZ=Australia/Lord_Howe 0 3 * * *", "2024-10-05T15:00:00Z", "2024-10-07T03:00:00+11:00"},
  });
}

TEST_CASE("the search continues where half a day or more is skipped") {
  // v3 loops forever on these.
  check({
      {"TZ=Pacific/Apia 0 0 1 * *", "2011-12-29T11:59:00Z", "2012-01-01T00:00:00+14:00"},
      {"TZ=Pacific/Apia 0 12 31 * *", "2011-12-29T11:59:00Z", "2011-12-31T12:00:00+14:00"},
      {"TZ=Pacific/Kwajalein 0 0 22 8 *", "1993-08-20T20:00:00Z", "1993-08-22T00:00:00+12:00"},
      {"TZ=Pacific/Kiritimati 0 0 1 1 *", "1994-12-30T20:00:00Z", "1995-01-01T00:00:00+14:00"},
      {"TZ=Antarctica/McMurdo * * 7 * *", "1955-12-30T20:00:00Z", "1956-01-07T00:00:00+12:00"},
  });
}

TEST_CASE("a schedule in a zone whose offset has seconds fires at full local minutes") {
  check({
      {"TZ=Africa/Monrovia 0 0 * * *", "1960-01-01T12:00:00Z", "1960-01-02T00:00:00-00:44"},
      {"TZ=Africa/Monrovia */7 * * * *", "1960-01-01T12:00:10Z", "1960-01-01T11:28:00-00:44"},
  });
}

TEST_CASE("C32: a schedule that does not fire within five calendar years never fires") {
  check({
      {"0 0 30 2 *", "2024-01-01T00:00:00Z", "never"},
      {"0 0 31 4,6,9,11 *", "2024-01-01T00:00:00Z", "never"},
      {"0 0 29 2 *", "2096-03-01T00:00:00Z", "never"},
      {"0 0 29 2 *", "2099-01-01T00:00:00Z", "2104-02-29T00:00:00Z"},
      {", * * * *", "2024-01-01T00:00:00Z", "never"},
      {"* , * * *", "2024-01-01T00:00:00Z", "never"},
      {"* * , * ,", "2024-01-01T00:00:00Z", "never"},
      {"* * , * *", "2024-01-01T00:00:00Z", "never"},
      {"* * * , *", "2024-01-01T00:00:00Z", "never"},
  });
}

TEST_CASE("times outside of the years of RFC 3339 have no next firing") {
  const auto minutely = schedule("* * * * *");
  const auto every = schedule("@every 2540400h");

  CHECK_FALSE(minutely.next(std::chrono::sys_seconds::min()).has_value());
  CHECK_FALSE(minutely.next(std::chrono::sys_seconds::max()).has_value());
  CHECK_FALSE(every.next(std::chrono::sys_seconds::max()).has_value());
  CHECK(next_of("* * * * *", "9999-12-31T23:59:00Z") == "10000-01-01T00:00:00Z");
  CHECK(next_of("* * * * *", "0000-01-01T00:00:00Z") == "0000-01-01T00:01:00Z");
}

TEST_CASE("a search takes few steps in every zone, also for impossible dates") {
  // At most six years of twelve months, a day or two near each change of the offset, and 23 hours and 59 minutes.
  constexpr std::size_t kEnough = 400;
  std::size_t worst = 0;
  std::string slowest;
  for (const std::string fields :
       {"0 0 30 2 *", "0 0 31 2,4,6,9,11 *", "59 23 29 2 *", "0 0 31 2 0", "59 23 31 12 *"}) {
    for (const auto name : keelson::cron::zone_names()) {
      const auto zone = in_zone(name);
      const auto parsed = Schedule::parse(fields, zone);
      for (const auto after : {"1967-03-01T00:00:01Z", "2010-02-28T12:34:56Z", "2097-03-01T00:00:01Z"}) {
        Search search(parsed->parts(), zone, at(after).time_since_epoch().count());
        static_cast<void>(search.run());
        if (search.steps() <= worst) continue;
        worst = search.steps();
        slowest = fields + " in " + std::string(name) + " after " + after;
      }
    }
  }
  INFO(slowest);
  CHECK(worst > 12);
  CHECK(worst <= kEnough);
}
