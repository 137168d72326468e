// Durations at the limits of Go's parser and formatter; each row is a result of Go's package time.
#include <catch2/catch_test_macros.hpp>
#include <chrono>

#include "keelson/detail/base/go_text.hpp"

using namespace std::chrono_literals;
using keelson::base::format_go_duration;
using keelson::base::parse_go_duration;

TEST_CASE("a duration is formatted in the unit of its magnitude, at the first and the last value of each unit") {
  struct Row {
    std::chrono::nanoseconds value;
    const char* text;
  };
  const Row rows[] = {
      {999ns, "999ns"},
      {1000ns, "1\302\265s"},
      {1001ns, "1.001\302\265s"},
      {1010ns, "1.01\302\265s"},
      {999999ns, "999.999\302\265s"},
      {1000000ns, "1ms"},
      {1000001ns, "1.000001ms"},
      {-1ns, "-1ns"},
      {-1000ns, "-1\302\265s"},
      {-1000000ns, "-1ms"},
      {999999999ns, "999.999999ms"},
      {1000000000ns, "1s"},
      {1000000001ns, "1.000000001s"},
      {1100000000ns, "1.1s"},
      {59999999999ns, "59.999999999s"},
      {60000000000ns, "1m0s"},
      {61000000000ns, "1m1s"},
      {3599999999999ns, "59m59.999999999s"},
      {3600000000000ns, "1h0m0s"},
      {3660000000000ns, "1h1m0s"},
      {86400000000000ns, "24h0m0s"},
      {360000000000000ns, "100h0m0s"},
      {-60000000000ns, "-1m0s"},
      {-3600000000000ns, "-1h0m0s"},
      {10000ns, "10\302\265s"},
      {100000000ns, "100ms"},
  };
  for (const auto& row : rows) CHECK(format_go_duration(row.value) == row.text);
}

TEST_CASE("durations at the numeric limits are parsed as in Go") {
  struct Row {
    const char* text;
    std::chrono::nanoseconds value;
  };
  const Row rows[] = {
      {"1h1h", 7200000000000ns},
      {"+0", 0ns},
      {"1.5s.5s", 2000000000ns},
      {"0h0m0s", 0ns},
      {"0s", 0ns},
      {"00005s", 5000000000ns},
      {"1us", 1000ns},
      {"1\302\265s", 1000ns},
      {"1ms", 1000000ns},
      {"1m", 60000000000ns},
      {"1h", 3600000000000ns},
      {"9223372036854775.807us", 9223372036854775807ns},
      {"9223372036.854775807s", 9223372036854775807ns},
      {"-9223372036.854775808s", std::chrono::nanoseconds::min()},
      {"2562047h47m16.854775807s", 9223372036854775807ns},
      {"-2562047h47m16.854775808s", std::chrono::nanoseconds::min()},
      {"-9223372036854775807ns1ns", std::chrono::nanoseconds::min()},
      {"9223372036854775800ns", 9223372036854775800ns},
      {"922337203685477580ns", 922337203685477580ns},
      {"0.9223372036854775807s", 922337203ns},
      {"0.9223372036854775808s", 922337203ns},
      {"0.9223372036854775809s", 922337203ns},
      {"0.92233720368547758079s", 922337203ns},
      {"0.9223372036854775817h", 3320413933267ns},
      {"1.0000000000000000000000001s", 1000000000ns},
      {"0.00000000000000000001h", 0ns},
      {"1.s1.s", 2000000000ns},
      {".5h.5h", 3600000000000ns},
      {"-.5s", -500000000ns},
      {"-1h30m", -5400000000000ns},
      {"-0s", 0ns},
      {"0.1ns", 0ns},
      {"1.9ns", 1ns},
      {"0.5us", 500ns},
      {"153722867.28m", 9223372036800000000ns},
      {"9223372036s", 9223372036000000000ns},
  };
  for (const auto& row : rows) {
    INFO(row.text);
    auto parsed = parse_go_duration(row.text);
    REQUIRE(parsed.has_value());
    CHECK(*parsed == row.value);
  }
}

TEST_CASE("durations just beyond the limits, and other near misses, are rejected with Go's message") {
  struct Row {
    const char* text;
    const char* message;
  };
  const Row rows[] = {
      {"9223372036.854775808s", "time: invalid duration \"9223372036.854775808s\""},
      {"2562047h47m16.854775808s", "time: invalid duration \"2562047h47m16.854775808s\""},
      {"-2562047h47m16.854775809s", "time: invalid duration \"-2562047h47m16.854775809s\""},
      {"9223372036854775807ns1ns", "time: invalid duration \"9223372036854775807ns1ns\""},
      {"-9223372036854775808ns1ns", "time: invalid duration \"-9223372036854775808ns1ns\""},
      {"9223372036854775810ns", "time: invalid duration \"9223372036854775810ns\""},
      {"9223372036854775809ns", "time: invalid duration \"9223372036854775809ns\""},
      {"92233720368547758070ns", "time: invalid duration \"92233720368547758070ns\""},
      {"92233720368547758080ns", "time: invalid duration \"92233720368547758080ns\""},
      {"18446744073709551616ns", "time: invalid duration \"18446744073709551616ns\""},
      {"1.5.5s", "time: missing unit in duration \"1.5.5s\""},
      {"+-5s", "time: invalid duration \"+-5s\""},
      {"--5s", "time: invalid duration \"--5s\""},
      {"+", "time: invalid duration \"+\""},
      {"0.0", "time: missing unit in duration \"0.0\""},
      {"1..s", "time: missing unit in duration \"1..s\""},
      {"1.", "time: missing unit in duration \"1.\""},
      {"1.5", "time: missing unit in duration \"1.5\""},
      {" 5s", "time: invalid duration \" 5s\""},
      {"5s ", "time: unknown unit \"s \" in duration \"5s \""},
      {"5S", "time: unknown unit \"S\" in duration \"5S\""},
      {"5 s", "time: unknown unit \" s\" in duration \"5 s\""},
      {"1h-2m", "time: unknown unit \"h-\" in duration \"1h-2m\""},
      {"1\001", "time: unknown unit \"\\x01\" in duration \"1\\x01\""},
      {"1\037", "time: unknown unit \"\\x1f\" in duration \"1\\x1f\""},
      {"1\177", "time: unknown unit \"\177\" in duration \"1\177\""},
      {"1\200", "time: unknown unit \"\\x80\" in duration \"1\\x80\""},
      {"1 ", "time: unknown unit \" \" in duration \"1 \""},
      {"5s3", "time: missing unit in duration \"5s3\""},
      {"5s.", "time: invalid duration \"5s.\""},
      {"5s.s", "time: invalid duration \"5s.s\""},
      {"153722868m", "time: invalid duration \"153722868m\""},
      {"2562048h", "time: invalid duration \"2562048h\""},
      {"9223372037s", "time: invalid duration \"9223372037s\""},
      {"1/s", "time: unknown unit \"/s\" in duration \"1/s\""},
      {"1:s", "time: unknown unit \":s\" in duration \"1:s\""},
      {"1e3s", "time: unknown unit \"e\" in duration \"1e3s\""},
      {"0x1s", "time: unknown unit \"x\" in duration \"0x1s\""},
      {"3.-s", "time: unknown unit \"-s\" in duration \"3.-s\""},
  };
  for (const auto& row : rows) {
    INFO(row.text);
    auto parsed = parse_go_duration(row.text);
    REQUIRE_FALSE(parsed.has_value());
    CHECK(parsed.error().message() == row.message);
  }
}
