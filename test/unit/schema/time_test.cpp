#include "keelson/schema/time.hpp"

#include <catch2/catch_test_macros.hpp>
#include <chrono>

namespace keelson::kube {
namespace {

using namespace std::chrono_literals;

const Time kMoment = std::chrono::sys_days(std::chrono::year(2026) / 1 / 2) + 3h + 4min + 5s;

}  // namespace

TEST_CASE("a time is written in whole seconds, a micro time with six digits") {
  CHECK(format_time(kMoment + 999'999'999ns) == "2026-01-02T03:04:05Z");
  CHECK(format_micro_time(kMoment) == "2026-01-02T03:04:05.000000Z");
  CHECK(format_micro_time(kMoment + 6us) == "2026-01-02T03:04:05.000006Z");
  CHECK(format_micro_time(kMoment + 999'999'999ns) == "2026-01-02T03:04:05.999999Z");
  CHECK(format_micro_time(Time() - 1ns) == "1969-12-31T23:59:59.999999Z");
}

TEST_CASE("times are read with any fraction and offset") {
  CHECK(*parse_time("2026-01-02T03:04:05Z") == kMoment);
  CHECK(*parse_time("2026-01-02T03:04:05.000006Z") == kMoment + 6us);
  CHECK(*parse_time("2026-01-02T03:04:05.123456789Z") == kMoment + 123'456'789ns);
  CHECK(*parse_time("2026-01-02T05:04:05+02:00") == kMoment);
  CHECK(*parse_time("2026-01-01T22:34:05-04:30") == kMoment);
}

TEST_CASE("a written time is read back") {
  for (std::chrono::nanoseconds since : {0ns, 1000ns, 999'999'000ns, 86'399'000'000'000ns}) {
    auto time = kMoment + since;

    CHECK(*parse_time(format_micro_time(time)) == time);
  }
}

TEST_CASE("an invalid time is rejected and quoted") {
  for (const char* text : {"", "2026-01-02", "2026-01-02 03:04:05Z", "2026-13-02T03:04:05Z", "2026-02-30T03:04:05Z",
                           "2026-01-02T24:04:05Z", "2026-01-02T03:04:05", "2026-01-02T03:04:05.Z", "tomorrow"}) {
    INFO(text);
    auto time = parse_time(text);

    REQUIRE_FALSE(time);
    CHECK(time.error().text.starts_with("parsing time \"" + std::string(text) + "\""));
  }
}

}  // namespace keelson::kube
