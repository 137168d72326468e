// The embedded zones: every name loads, offsets are correct at the changes, and names are validated as in Kubernetes.
#include "keelson/detail/cron/zone.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "keelson/detail/cron/year_rule.hpp"
#include "test/unit/cron/instants.hpp"

namespace {

using keelson::cron::Zone;
using keelson::testing::at;
using keelson::testing::in_zone;

std::string clock_in(const std::string& zone, const std::string& instant) {
  return format_rfc3339(at(instant), in_zone(zone));
}

}  // namespace

TEST_CASE("every embedded name loads, and its periods have no gaps") {
  const auto names = keelson::cron::zone_names();
  CHECK(names.size() > 500);
  CHECK(std::ranges::is_sorted(names));

  for (const auto name : names) {
    const auto zone = in_zone(name);
    INFO(name);
    REQUIRE(zone.name() == name);
    auto time = at("1800-01-01T00:00:00Z");
    while (time < at("2200-01-01T00:00:00Z")) {
      const auto period = zone.period_at(time);
      REQUIRE((period.begin <= time && time < period.end));
      REQUIRE(std::chrono::abs(period.offset) < std::chrono::hours(26));
      time = period.end;
    }
  }
}

TEST_CASE("the offset of a time is the offset that applied at that time") {
  CHECK(clock_in("UTC", "2024-01-01T00:00:00Z") == "2024-01-01T00:00:00Z");
  CHECK(clock_in("Europe/London", "2024-01-01T00:00:00Z") == "2024-01-01T00:00:00Z");
  CHECK(clock_in("Europe/London", "2024-07-01T00:00:00Z") == "2024-07-01T01:00:00+01:00");
  CHECK(clock_in("Europe/Berlin", "2024-03-31T00:59:59Z") == "2024-03-31T01:59:59+01:00");
  CHECK(clock_in("Europe/Berlin", "2024-03-31T01:00:00Z") == "2024-03-31T03:00:00+02:00");
  CHECK(clock_in("Africa/Monrovia", "1960-01-01T00:00:00Z") == "1959-12-31T23:15:30-00:44");
  CHECK(clock_in("Asia/Kolkata", "1969-12-31T23:59:59Z") == "1970-01-01T05:29:59+05:30");
}

TEST_CASE("years beyond the list of changes follow the rule") {
  CHECK(clock_in("America/New_York", "2500-07-01T12:00:00Z") == "2500-07-01T08:00:00-04:00");
  CHECK(clock_in("America/New_York", "2500-12-31T23:59:59Z") == "2500-12-31T18:59:59-05:00");
  CHECK(clock_in("Australia/Sydney", "2500-01-01T00:00:00Z") == "2500-01-01T11:00:00+11:00");
  CHECK(clock_in("Europe/Dublin", "2500-07-01T00:00:00Z") == "2500-07-01T01:00:00+01:00");
  CHECK(in_zone("America/New_York").offset_at(std::chrono::sys_seconds::max()) != std::chrono::seconds(1));
}

TEST_CASE("a day of the year is counted with and without the leap day") {
  using keelson::cron::YearRule;
  const YearRule same{YearRule::Kind::kSameInYear, 0, 0, 0, 60, 7200};
  const YearRule counted{YearRule::Kind::kDayOfYear, 0, 0, 0, 59, 7200};
  const auto instant = [](const std::string& text) { return at(text).time_since_epoch().count(); };

  CHECK(change_in(2023, same, 3600) == instant("2023-03-01T01:00:00Z"));
  CHECK(change_in(2024, same, 3600) == instant("2024-03-01T01:00:00Z"));
  CHECK(change_in(2023, counted, 0) == instant("2023-03-01T02:00:00Z"));
  CHECK(change_in(2024, counted, 0) == instant("2024-02-29T02:00:00Z"));
}

TEST_CASE("names are found as Go finds them") {
  CHECK(in_zone("") == Zone::utc());
  CHECK(in_zone("UTC") == Zone::utc());
  for (const std::string name : {"europe/berlin", "Local", "Mars/Base", "Europe", "Europe/", " UTC"}) {
    const auto zone = Zone::find(name);
    INFO(name);
    REQUIRE_FALSE(zone.has_value());
    CHECK(zone.error().text == "unknown time zone " + name);
  }
  for (const std::string name : {"/UTC", "\\UTC", "../UTC", "Etc/../UTC"}) {
    const auto zone = Zone::find(name);
    INFO(name);
    REQUIRE_FALSE(zone.has_value());
    CHECK(zone.error().text == "time: invalid location name");
  }
}

TEST_CASE("C40: the zone of the process is that of TZ, or UTC") {
  CHECK(Zone::of_process(nullptr) == Zone::utc());
  CHECK(Zone::of_process("") == Zone::utc());
  CHECK(Zone::of_process("Nowhere") == Zone::utc());
  CHECK(Zone::of_process("Europe/Berlin") == in_zone("Europe/Berlin"));
  CHECK(Zone::of_process(":Europe/Berlin") == in_zone("Europe/Berlin"));
}

TEST_CASE("Kubernetes accepts explicit names of existing zones") {
  using Texts = std::vector<std::string>;
  const std::string explicit_zone =
      "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones";

  CHECK(keelson::cron::time_zone_rejections("Europe/Berlin").empty());
  CHECK(keelson::cron::time_zone_rejections("America/Argentina/Buenos_Aires").empty());
  CHECK(keelson::cron::time_zone_rejections("Etc/GMT+12").empty());
  CHECK(keelson::cron::time_zone_rejections("") == Texts{"timeZone must be nil or non-empty string"});
  CHECK(keelson::cron::time_zone_rejections("Local") == Texts{explicit_zone});
  CHECK(keelson::cron::time_zone_rejections("local") == Texts{explicit_zone, "unknown time zone local"});
  CHECK(keelson::cron::time_zone_rejections("Etc..UTC") == Texts{"time: invalid location name"});
  for (const std::string name : {"Mars/Base", "europe/berlin", "/UTC", "UTC/", "Etc/../UTC", "-UTC", "U TC", "Etc/-1",
                                 "Abcdefghijklmno", "T\u00dc", "UTC\n"}) {
    INFO(name);
    CHECK(keelson::cron::time_zone_rejections(name) == Texts{"unknown time zone " + name});
  }
}

TEST_CASE("times are formatted for Events as Go formats them") {
  CHECK(format_rfc1123z(at("2024-03-31T01:00:00Z"), in_zone("Europe/Berlin")) == "Sun, 31 Mar 2024 03:00:00 +0200");
  CHECK(format_rfc1123z(at("2024-01-01T00:00:00Z"), Zone::utc()) == "Mon, 01 Jan 2024 00:00:00 +0000");
}
