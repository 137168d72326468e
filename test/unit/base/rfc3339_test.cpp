#include "keelson/detail/base/rfc3339.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>

using namespace std::chrono;
using namespace std::chrono_literals;
using keelson::base::format_rfc3339;
using keelson::base::format_utc_offset;
using keelson::base::parse_rfc3339;

namespace {

constexpr sys_seconds kMoment = sys_days(2024y / March / 31) + 1h;

}  // namespace

TEST_CASE("a time of RFC 3339 has any offset and any fraction") {
  struct Row {
    const char* text;
    sys_seconds second;
    nanoseconds fraction;
  };
  const Row rows[] = {{"2024-03-31T01:00:00Z", kMoment, 0ns},
                      {"2024-03-31t01:00:00z", kMoment, 0ns},
                      {"2024-03-31T03:00:00+02:00", kMoment, 0ns},
                      {"2024-03-30T20:30:00.5-04:30", kMoment, 500ms},
                      {"2024-03-31T01:00:00,000001Z", kMoment, 1us},
                      {"2024-02-29T23:30:00.999999999999-00:30", sys_days(2024y / March / 1), 999'999'999ns},
                      {"0001-01-01T00:00:00Z", sys_days(1y / January / 1), 0ns},
                      {"9999-12-31T23:59:59Z", sys_days(9999y / December / 31) + 86'399s, 0ns}};
  for (const auto& row : rows) {
    INFO(row.text);
    const auto time = parse_rfc3339(row.text);
    REQUIRE(time);
    CHECK(time->second == row.second);
    CHECK(time->fraction == row.fraction);
  }
}

TEST_CASE("a text that is not a time of RFC 3339 is rejected") {
  for (const std::string text :
       {"", "2024-01-01", "2023-02-29T00:00:00Z", "2024-13-01T00:00:00Z", "2024-01-01T24:00:00Z",
        "2024-01-01T00:00:60Z", "2024-01-01T00:00:00", "2024-01-01 00:00:00Z", "2024-01-01T00:00:00Zx",
        "2024-01-01T00:00:00.Z", "2024-01-01T00:00:00+2:00", "2024-01-01T00:00:00+25:00", "+024-01-01T00:00:00Z",
        "2024-1-01T00:00:00Z",
        // The fraction of a time that is wrong before it: reading its digits did not end.
        ".5", "1.5", "2026.5", "2024-13-01T00:00:00.5Z", "2026-.1-01T00:00:00Z"}) {
    INFO(text);
    CHECK_FALSE(parse_rfc3339(text));
  }
}

TEST_CASE("a time is formatted in the zone of its offset") {
  CHECK(format_rfc3339(kMoment) == "2024-03-31T01:00:00Z");
  CHECK(format_rfc3339(kMoment, 2h) == "2024-03-31T03:00:00+02:00");
  CHECK(format_rfc3339(kMoment, -(4h + 30min)) == "2024-03-30T20:30:00-04:30");
  CHECK(format_rfc3339(kMoment, -(44min + 30s)) == "2024-03-31T00:15:30-00:44");
  CHECK(format_rfc3339(sys_days(1y / January / 1)) == "0001-01-01T00:00:00Z");
  CHECK(format_rfc3339(sys_days(1969y / December / 31) + 86'399s) == "1969-12-31T23:59:59Z");
}

TEST_CASE("an offset is written with and without a separator") {
  CHECK(format_utc_offset(0s, ":") == "+00:00");
  CHECK(format_utc_offset(-(9h + 30min), "") == "-0930");
}
