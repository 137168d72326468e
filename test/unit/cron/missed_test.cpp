// The firings that a controller has missed: the latest one and their number, without a walk through years.
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <string>

#include "keelson/cron/schedule.hpp"
#include "test/unit/cron/instants.hpp"

namespace {

using keelson::cron::Schedule;
using keelson::testing::at;
using keelson::testing::schedule;

// The definition: a walk through all firings.
std::optional<Schedule::Missed> walked(const Schedule& schedule, std::chrono::sys_seconds after,
                                       std::chrono::sys_seconds until, std::size_t limit) {
  std::optional<Schedule::Missed> missed;
  for (auto next = schedule.next(after); next && *next <= until; next = schedule.next(*next)) {
    missed = Schedule::Missed{*next, std::min((missed ? missed->count : 0) + 1, limit + 1)};
  }
  return missed;
}

}  // namespace

TEST_CASE("a span between two firings has no missed firing, and a firing at its end counts as missed") {
  const auto hourly = schedule("0 * * * *");

  CHECK_FALSE(hourly.missed(at("2024-01-01T00:00:00Z"), at("2024-01-01T00:59:59Z")).has_value());
  CHECK_FALSE(hourly.missed(at("2024-01-01T00:00:00Z"), at("2024-01-01T00:00:00Z")).has_value());
  CHECK_FALSE(hourly.missed(at("2024-01-02T00:00:00Z"), at("2024-01-01T00:00:00Z")).has_value());
  const auto missed = hourly.missed(at("2024-01-01T00:00:00Z"), at("2024-01-01T01:00:00Z"));
  REQUIRE(missed.has_value());
  CHECK(missed->latest == at("2024-01-01T01:00:00Z"));
  CHECK(missed->count == 1);
}

TEST_CASE("the limit is exact: a hundred firings are counted, and a hundred and one are more than the limit") {
  const auto minutely = schedule("* * * * *");

  const auto hundred = minutely.missed(at("2024-01-01T00:00:00Z"), at("2024-01-01T01:40:59Z"));
  const auto more = minutely.missed(at("2024-01-01T00:00:00Z"), at("2024-01-01T01:41:00Z"));

  REQUIRE((hundred && more));
  CHECK(hundred->count == 100);
  CHECK(hundred->latest == at("2024-01-01T01:40:00Z"));
  CHECK(more->count == 101);
  CHECK(more->latest == at("2024-01-01T01:41:00Z"));
}

TEST_CASE("C17: the latest of millions of firings is found, with any gaps between them") {
  const auto after = at("1990-01-01T00:00:30Z");
  const auto until = at("2024-02-28T11:59:30Z");

  CHECK(schedule("* * * * *").missed(after, until)->latest == at("2024-02-28T11:59:00Z"));
  CHECK(schedule("* * * * 1").missed(after, until)->latest == at("2024-02-26T23:59:00Z"));
  CHECK(schedule("* 3 29 2 *").missed(after, until)->latest == at("2020-02-29T03:59:00Z"));
  CHECK(schedule("TZ=America/New_York 30 1 * * *").missed(after, until)->latest == at("2024-02-28T06:30:00Z"));
  CHECK(schedule("@every 7s").missed(after, until)->latest == at("2024-02-28T11:59:26Z"));
  CHECK(schedule("@every 7s").missed(after, until)->count == 101);
}

TEST_CASE("a search that jumps finds the same firings as a search in single steps") {
  for (const std::string expression :
       {"*/7 * * * *", "0 0 1 * *", "TZ=America/Sao_Paulo 0 9 * * 6", "TZ=Australia/Lord_Howe */10 1-3 * * *",
        "TZ=Europe/Berlin 30 2 * * *", "TZ=Asia/Beirut 0 0 * * *", "@every 1h1s", "TZ=Pacific/Apia 0 0 * * *"}) {
    const auto parsed = schedule(expression);
    const auto after = at("2011-09-01T10:00:00Z");
    for (int days = 0; days < 200; days += 7) {
      const auto until = after + std::chrono::days(days) + std::chrono::minutes(41 * days);
      const auto jumped = parsed.missed(after, until, 3);
      const auto expected = walked(parsed, after, until, 3);
      INFO(expression << " for " << days << " days");
      REQUIRE(jumped.has_value() == expected.has_value());
      if (!jumped) continue;
      CHECK(format_rfc3339(jumped->latest, parsed.zone()) == format_rfc3339(expected->latest, parsed.zone()));
      CHECK(jumped->count == expected->count);
    }
  }
}

TEST_CASE("missed() works at the first and the last time that it accepts") {
  const auto minutely = schedule("* * * * *");
  const auto first = at("0000-01-01T00:00:00Z");

  CHECK(minutely.missed(first, std::chrono::sys_seconds::max())->count == 101);
  CHECK(schedule("@every 1s").missed(first, std::chrono::sys_seconds::max())->count == 101);
  CHECK_FALSE(minutely.missed(std::chrono::sys_seconds::min(), std::chrono::sys_seconds::max()).has_value());
  CHECK_FALSE(schedule("0 0 30 2 *").missed(first, std::chrono::sys_seconds::max()).has_value());
}

TEST_CASE("a firing after the year 9999 counts as missed if next() returns it") {
  const auto end = std::chrono::sys_seconds::max();
  const auto leap = schedule("? 5 29 2 *");
  const auto daily = schedule("@every 24h");

  const auto after = at("9999-11-15T00:00:00Z");

  CHECK(leap.missed(after, end)->latest == walked(leap, after, end, 100)->latest);
  CHECK(leap.missed(at("9000-01-01T00:00:00Z"), end, 2)->latest == leap.next(after));
  CHECK(daily.missed(at("9999-12-01T12:00:00Z"), end, 2)->latest == *daily.next(at("9999-12-31T12:00:00Z")));
}
