#include "keelson/detail/cli/values.hpp"

#include <catch2/catch_test_macros.hpp>
#include <limits>

using keelson::cli::parse_int;

TEST_CASE("integers are read as strconv.ParseInt with base 0 reads them") {
  struct Row {
    const char* text;
    std::int64_t value;
  };
  const Row rows[] = {{"0", 0},
                      {"-0", 0},
                      {"7", 7},
                      {"+5", 5},
                      {"-12", -12},
                      {"0x10", 16},
                      {"0XfF", 255},
                      {"-0x8", -8},
                      {"0x_1", 1},
                      {"0o17", 15},
                      {"0O17", 15},
                      {"017", 15},
                      {"0_7", 7},
                      {"0b11", 3},
                      {"0B_1", 1},
                      {"1_000", 1000},
                      {"00", 0},
                      {"9223372036854775807", std::numeric_limits<std::int64_t>::max()},
                      {"-9223372036854775808", std::numeric_limits<std::int64_t>::min()}};
  for (const auto& row : rows) {
    INFO(row.text);
    auto value = parse_int(row.text);
    REQUIRE(value.has_value());
    CHECK(*value == row.value);
  }
}

TEST_CASE("integers that Go rejects are rejected with its messages") {
  for (const char* text : {"",    "-",   "+",  "x",  "_1",  "1_",  "1__0", "0x",  "0x_", "0b", "0b2", "08",
                           "0o8", "1.5", " 1", "1 ", "+-1", "--1", "0x-1", "1e3", "_",   "0_", "0_x1"}) {
    INFO(text);
    auto value = parse_int(text);
    REQUIRE_FALSE(value.has_value());
    CHECK(value.error().text == "parse error");
  }
  for (const char* text :
       {"9223372036854775808", "-9223372036854775809", "99999999999999999999999", "0xfffffffffffffffff"}) {
    INFO(text);
    auto value = parse_int(text);
    REQUIRE_FALSE(value.has_value());
    CHECK(value.error().text == "value out of range");
  }
}

TEST_CASE("a number outside of its range is rejected with the range") {
  CHECK(*parse_int("0x10", 1, 16) == 16);
  for (const char* text : {"0", "17", "-1"}) CHECK(parse_int(text, 1, 16).error().text == "must be between 1 and 16");
  CHECK(parse_int("x", 1, 16).error().text == "parse error");
}
