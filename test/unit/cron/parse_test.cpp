// The grammar of ParseStandard and its error texts.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "keelson/cron/schedule.hpp"

namespace {

using keelson::cron::Schedule;
using keelson::cron::ScheduleParts;
using keelson::cron::Zone;

ScheduleParts parts_of(const std::string& expression) {
  const auto schedule = Schedule::parse(expression);
  INFO(expression << ": " << (schedule ? "" : schedule.error().text));
  REQUIRE(schedule.has_value());
  return schedule->parts();
}

std::string error_of(const std::string& expression) {
  const auto schedule = Schedule::parse(expression);
  return schedule ? "accepted" : schedule.error().text;
}

template <class... Values>
std::uint64_t bits(Values... values) {
  return ((std::uint64_t{1} << values) | ... | 0);
}

}  // namespace

TEST_CASE("a field is a list of values, ranges, names and steps") {
  struct Row {
    std::string minute_field;
    std::uint64_t bits;
  };
  const std::vector<Row> rows = {
      {"5", bits(5)},
      {"+5", bits(5)},
      {"005", bits(5)},
      {"5,6,7", bits(5, 6, 7)},
      {"5-7", bits(5, 6, 7)},
      {"0-59/20", bits(0, 20, 40)},
      {"50/5", bits(50, 55)},
      {"5-9/3", bits(5, 8)},
      {"*/30", bits(0, 30)},
      {"?/30", bits(0, 30)},
      {"*-x/30", bits(0, 30)},
      {"1,", bits(1)},
      {",1", bits(1)},
      {"1,,2", bits(1, 2)},
      {",", 0},
      {"3/60", bits(3)},
      {"3/9223372036854775807", bits(3)},
      {"*", (std::uint64_t{1} << 60) - 1},
  };

  for (const auto& row : rows) {
    const auto parts = parts_of(row.minute_field + " * * * *");
    INFO(row.minute_field);
    CHECK(parts.minutes == row.bits);
  }
}

TEST_CASE("months and weekdays have names in any case") {
  const auto parts = parts_of("0 0 1 jan,FEB-Apr,Dec/1 Mon-fri");

  CHECK(parts.months == bits(1, 2, 3, 4, 12));
  CHECK(parts.weekdays == bits(1, 2, 3, 4, 5));
  CHECK(parts_of("0 0 * * FR\u0130").weekdays == bits(5));
  CHECK(parts_of("0 0 * * mon/2").weekdays == bits(1, 3, 5));
}

TEST_CASE("a star without a step requires a match of both day fields") {
  CHECK(parts_of("0 0 * * *").both_days);
  CHECK(parts_of("0 0 1 * *").both_days);
  CHECK(parts_of("0 0 ? * 1").both_days);
  CHECK(parts_of("0 0 */1 * 1").both_days);
  CHECK(parts_of("0 0 5,* * 1").both_days);
  CHECK_FALSE(parts_of("0 0 */2 * 1").both_days);
  CHECK_FALSE(parts_of("0 0 1-31 * 1").both_days);
}

TEST_CASE("descriptors are replaced by their fields") {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"@yearly", "0 0 1 1 *"}, {"@annually", "0 0 1 1 *"}, {"@monthly", "0 0 1 * *"}, {"@weekly", "0 0 * * 0"},
      {"@daily", "0 0 * * *"},  {"@midnight", "0 0 * * *"}, {"@hourly", "0 * * * *"},
  };

  for (const auto& [descriptor, fields] : rows) {
    const auto one = parts_of(descriptor);
    const auto other = parts_of(fields);
    INFO(descriptor);
    CHECK(one.minutes == other.minutes);
    CHECK(one.hours == other.hours);
    CHECK(one.days == other.days);
    CHECK(one.months == other.months);
    CHECK(one.weekdays == other.weekdays);
    CHECK(one.both_days == other.both_days);
  }
}

TEST_CASE("@every accepts a Go duration of at least a second, in whole seconds") {
  CHECK(parts_of("@every 1h30m").every == std::chrono::minutes(90));
  CHECK(parts_of("@every 1.9s").every == std::chrono::seconds(1));
  CHECK(parts_of("@every 10ms").every == std::chrono::seconds(1));
  CHECK(parts_of("@every -5h").every == std::chrono::seconds(1));
  CHECK(parts_of("@every 0").every == std::chrono::seconds(1));
}

TEST_CASE("a zone may precede the expression, and otherwise the schedule uses the given zone") {
  const auto berlin = Zone::find("Europe/Berlin");
  REQUIRE(berlin.has_value());

  CHECK(Schedule::parse("TZ=Asia/Tokyo 0 0 * * *")->zone().name() == "Asia/Tokyo");
  CHECK(Schedule::parse("CRON_TZ=Asia/Tokyo  0 0 * * *")->zone().name() == "Asia/Tokyo");
  CHECK(Schedule::parse("TZ=Asia/Tokyo @every 5m")->zone().name() == "Asia/Tokyo");
  CHECK(Schedule::parse("TZ=UTC \u00a0@daily ", *berlin)->zone() == Zone::utc());
  CHECK(Schedule::parse("TZ= 0 0 * * *", *berlin)->zone() == Zone::utc());
  CHECK(Schedule::parse("TZ=Local 0 0 * * *", *berlin)->zone() == *berlin);
  CHECK(Schedule::parse("0 0 * * *", *berlin)->zone() == *berlin);
  CHECK(Schedule::parse("0\u00a00\u3000*\u0085*\t*")->zone() == Zone::utc());
}

TEST_CASE("C42: an invalid expression is rejected with the text of robfig/cron v3") {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"", "empty spec string"},
      {" ", "expected exactly 5 fields, found 0: []"},
      {"invalid-cron-schedule", "expected exactly 5 fields, found 1: [invalid-cron-schedule]"},
      {"* *  * *", "expected exactly 5 fields, found 4: [* * * *]"},
      {"* * * * * *", "expected exactly 5 fields, found 6: [* * * * * *]"},
      {"j * * * *", "failed to parse int from j: strconv.Atoi: parsing \"j\": invalid syntax"},
      {"0x10 * * * *", "failed to parse int from 0x10: strconv.Atoi: parsing \"0x10\": invalid syntax"},
      {"-1 * * * *", "failed to parse int from : strconv.Atoi: parsing \"\": invalid syntax"},
      {"99999999999999999999 * * * *",
       "failed to parse int from 99999999999999999999: strconv.Atoi: parsing \"99999999999999999999\": value out of "
       "range"},
      {"*/-1 * * * *", "negative number (-1) not allowed: -1"},
      {"1-2-3 * * * *", "too many hyphens: 1-2-3"},
      {"1/2/3 * * * *", "too many slashes: 1/2/3"},
      {"* * 0 * *", "beginning of range (0) below minimum (1): 0"},
      {"60 * * * *", "end of range (60) above maximum (59): 60"},
      {"* * * * 7", "end of range (7) above maximum (6): 7"},
      {"* 22-2 * * *", "beginning of range (22) beyond end of range (2): 22-2"},
      {"*/0 * * * *", "step of range should be a positive number: */0"},
      {"* * * jan-0 *", "beginning of range (1) beyond end of range (0): jan-0"},
      {"* * * january *", "failed to parse int from january: strconv.Atoi: parsing \"january\": invalid syntax"},
      {"@Daily", "unrecognized descriptor: @Daily"},
      {"@daily ", "unrecognized descriptor: @daily "},
      {"@every 5", "failed to parse duration @every 5: time: missing unit in duration \"5\""},
      {"@every 1d", "failed to parse duration @every 1d: time: unknown unit \"d\" in duration \"1d\""},
      {"TZ=Mars/Base 0 0 * * *", "provided bad location Mars/Base: unknown time zone Mars/Base"},
      {"TZ=../UTC 0 0 * * *", "provided bad location ../UTC: time: invalid location name"},
      {"TZ=/UTC 0 0 * * *", "provided bad location /UTC: time: invalid location name"},
      {"TZ=UTC TZ=UTC 0 0 * * *", "expected exactly 5 fields, found 6: [TZ=UTC 0 0 * * *]"},
      {"TZ=UTC ", "expected exactly 5 fields, found 0: []"},
      {" @daily", "expected exactly 5 fields, found 1: [@daily]"},
      {"tz=UTC * * * * *", "expected exactly 5 fields, found 6: [tz=UTC * * * * *]"},
  };

  for (const auto& [expression, text] : rows) {
    INFO(expression);
    CHECK(error_of(expression) == text);
  }
}

TEST_CASE("a zone without an expression is rejected, although robfig/cron v3 panics") {
  for (const std::string expression : {"TZ=", "TZ=UTC", "CRON_TZ=UTC", "TZ=UTC\t0\t0\t*\t*\t*", "TZ=0"}) {
    INFO(expression);
    CHECK(error_of(expression) == "invalid schedule format: no expression after the time zone");
  }
}
