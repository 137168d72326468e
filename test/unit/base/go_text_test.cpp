#include "keelson/detail/base/go_text.hpp"

#include <array>
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <charconv>
#include <cmath>
#include <limits>
#include <random>

using namespace std::chrono_literals;
using keelson::base::format_go_duration;
using keelson::base::format_go_exponent;
using keelson::base::format_go_fixed;
using keelson::base::format_go_number;
using keelson::base::parse_go_duration;
using keelson::base::quote_go;

TEST_CASE("numbers are formatted as strconv formats them") {
  struct Row {
    double value;
    const char* text;
  };
  const Row rows[] = {
      {0, "0"},
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
      {std::numeric_limits<double>::min(), "2.2250738585072014e-308"},
      {2.2250738585072011e-308, "2.225073858507201e-308"},
      {1.5e-320, "1.5e-320"},
      {0x1p-44, "5.684341886080802e-14"},  // 17 digits if only the nearest number with 16 digits is tried
      {0x1p-24, "5.960464477539063e-08"},
      {9007199254740994, "9.007199254740994e+15"},
      {123456789012345680, "1.2345678901234568e+17"},
      {99999.99999999999, "99999.99999999999"},
      {1.7e9, "1.7e+09"}};
  for (const auto& row : rows) CHECK(format_go_number(row.value) == row.text);
}

TEST_CASE("numbers of any size are formatted in both notations as strconv formats them") {
  struct Row {
    double value;
    const char* fixed;
    const char* exponent;
  };
  const Row rows[] = {{0, "0", "0e+00"},
                      {-0.0, "-0", "-0e+00"},
                      {1e20, "100000000000000000000", "1e+20"},
                      {-1.2345678901234567e20, "-123456789012345670000", "-1.2345678901234567e+20"},
                      {0.000001, "0.000001", "1e-06"},
                      {1.5, "1.5", "1.5e+00"},
                      {1720000000.25, "1720000000.25", "1.72000000025e+09"}};
  for (const auto& row : rows) {
    CHECK(format_go_fixed(row.value) == row.fixed);
    CHECK(format_go_exponent(row.value) == row.exponent);
  }
}

TEST_CASE("a formatted number is read as the same number, and is as short as that of to_chars") {
  std::mt19937_64 random(1);  // NOLINT(cert-msc51-cpp)
  for (int i = 0; i < 100'000; ++i) {
    const auto value = std::bit_cast<double>(random());
    if (!std::isfinite(value)) continue;
    std::array<char, 40> expected{};
    std::to_chars(expected.data(), expected.data() + expected.size(), value, std::chars_format::scientific);

    const auto text = format_go_exponent(value);

    if (text != expected.data()) FAIL_CHECK(text << " instead of " << expected.data());
  }
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
