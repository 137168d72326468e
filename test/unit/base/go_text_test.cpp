#include "keelson/base/go_text.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>

using namespace std::chrono_literals;
using keelson::base::format_go_duration;
using keelson::base::format_go_number;
using keelson::base::parse_go_duration;
using keelson::base::quote_go;

TEST_CASE("numbers are formatted as strconv formats them") {
  struct Row {
    double value;
    const char* text;
  };
  const Row rows[] = {{0, "0"},
                      {-0.0, "-0"},
                      {1, "1"},
                      {-1, "-1"},
                      {0.1 + 0.2, "0.30000000000000004"},
                      {0.005, "0.005"},
                      {2.5, "2.5"},
                      {0.0001, "0.0001"},
                      {0.00001, "1e-05"},
                      {0.000123, "0.000123"},
                      {123456, "123456"},
                      {999999, "999999"},
                      {999999.5, "999999.5"},
                      {1000000, "1e+06"},
                      {1048576, "1.048576e+06"},
                      {1e100, "1e+100"},
                      {5e-324, "5e-324"},
                      {std::numeric_limits<double>::max(), "1.7976931348623157e+308"},
                      {1.7e9, "1.7e+09"}};
  for (const auto& row : rows) CHECK(format_go_number(row.value) == row.text);
}

TEST_CASE("NaN and the infinities have Prometheus' names") {
  CHECK(format_go_number(INFINITY) == "+Inf");
  CHECK(format_go_number(-INFINITY) == "-Inf");
  CHECK(format_go_number(NAN) == "NaN");
}

TEST_CASE("durations are formatted as time.Duration formats them") {
  struct Row {
    std::chrono::nanoseconds value;
    const char* text;
  };
  const Row rows[] = {{0s, "0s"},
                      {1ns, "1ns"},
                      {1100ns, "1.1\u00b5s"},
                      {2200us, "2.2ms"},
                      {1500ms, "1.5s"},
                      {60s, "1m0s"},
                      {10h, "10h0m0s"},
                      {1h + 15min + 30918ms, "1h15m30.918s"},
                      {-5s - 1ns, "-5.000000001s"},
                      {std::chrono::nanoseconds::max(), "2562047h47m16.854775807s"},
                      {std::chrono::nanoseconds::min(), "-2562047h47m16.854775808s"}};
  for (const auto& row : rows) CHECK(format_go_duration(row.value) == row.text);
}

TEST_CASE("durations are parsed as time.ParseDuration parses them") {
  struct Row {
    const char* text;
    std::chrono::nanoseconds value;
  };
  const Row rows[] = {{"0", 0ns},
                      {"-0", 0ns},
                      {"5s", 5s},
                      {"+5s", 5s},
                      {"-5s", -5s},
                      {"1.5h", 90min},
                      {".5s", 500ms},
                      {"1.s", 1s},
                      {"1h15m30.918s", 1h + 15min + 30918ms},
                      {"5ns", 5ns},
                      {"7us", 7us},
                      {"7\u00b5s", 7us},
                      {"7\u03bcs", 7us},
                      {"0.3333333333333333333h", 20min},
                      {"9223372036854775807ns", std::chrono::nanoseconds::max()},
                      {"-9223372036854775808ns", std::chrono::nanoseconds::min()},
                      {"0.100000000000000000000h", 6min},
                      {"10h", 10h}};
  for (const auto& row : rows) {
    INFO(row.text);
    auto parsed = parse_go_duration(row.text);
    REQUIRE(parsed.has_value());
    CHECK(*parsed == row.value);
  }
}

TEST_CASE("an invalid duration is rejected with Go's message") {
  struct Row {
    const char* text;
    const char* message;
  };
  const Row rows[] = {{"", "time: invalid duration \"\""},
                      {"-", "time: invalid duration \"-\""},
                      {"3", "time: missing unit in duration \"3\""},
                      {"s", "time: invalid duration \"s\""},
                      {".", "time: invalid duration \".\""},
                      {".s", "time: invalid duration \".s\""},
                      {"3d", "time: unknown unit \"d\" in duration \"3d\""},
                      {"1h 2m", "time: unknown unit \"h \" in duration \"1h 2m\""},
                      {"9223372036854775808ns", "time: invalid duration \"9223372036854775808ns\""},
                      {"99999999999999999999s", "time: invalid duration \"99999999999999999999s\""},
                      {"3000000h", "time: invalid duration \"3000000h\""},
                      {"1\"\\\u00e4", "time: unknown unit \"\\\"\\\\\\xc3\\xa4\" in duration \"1\\\"\\\\\\xc3\\xa4\""}};
  for (const auto& row : rows) {
    INFO(row.text);
    auto parsed = parse_go_duration(row.text);
    REQUIRE_FALSE(parsed.has_value());
    CHECK(parsed.error().message() == row.message);
  }
}

TEST_CASE("text is quoted as strconv.Quote quotes it") {
  CHECK(quote_go("") == "\"\"");
  CHECK(quote_go("a \"b\" \\") == "\"a \\\"b\\\" \\\\\"");
  CHECK(quote_go("\a\b\f\n\r\t\v") == "\"\\a\\b\\f\\n\\r\\t\\v\"");
  CHECK(quote_go(std::string_view("\0\x7f", 2)) == "\"\\x00\\x7f\"");
  CHECK(quote_go("\u00e4\u4e16") == "\"\u00e4\u4e16\"");
  CHECK(quote_go("\u00a0\u200b\ufeff") == "\"\\u00a0\\u200b\\ufeff\"");
  CHECK(quote_go("\U000F0000") == "\"\\U000f0000\"");
  CHECK(quote_go("\xff\xc3(\xed\xa0\x80") == "\"\\xff\\xc3(\\xed\\xa0\\x80\"");
}
