#include "src/program/flags/flag_values.hpp"

#include <catch2/catch_test_macros.hpp>
#include <limits>

using keelson::program::parse_int_flag;
using keelson::program::parse_namespaces;

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
    auto value = parse_int_flag(row.text);
    REQUIRE(value.has_value());
    CHECK(*value == row.value);
  }
}

TEST_CASE("integers that Go rejects are rejected with its messages") {
  for (const char* text : {"",    "-",   "+",  "x",  "_1",  "1_",  "1__0", "0x",  "0x_", "0b", "0b2", "08",
                           "0o8", "1.5", " 1", "1 ", "+-1", "--1", "0x-1", "1e3", "_",   "0_", "0_x1"}) {
    INFO(text);
    auto value = parse_int_flag(text);
    REQUIRE_FALSE(value.has_value());
    CHECK(value.error().text == "parse error");
  }
  for (const char* text :
       {"9223372036854775808", "-9223372036854775809", "99999999999999999999999", "0xfffffffffffffffff"}) {
    INFO(text);
    auto value = parse_int_flag(text);
    REQUIRE_FALSE(value.has_value());
    CHECK(value.error().text == "value out of range");
  }
}

TEST_CASE("namespaces are trimmed, sorted and named once") {
  CHECK(*parse_namespaces(" b ,a,, b,\t") == std::vector<std::string>{"a", "b"});
  CHECK(parse_namespaces("")->empty());
  CHECK(parse_namespaces(std::string(63, 'a')).has_value());
}

TEST_CASE("invalid names of namespaces are rejected") {
  for (const auto& text : {std::string("A"), std::string("a.b"), std::string("-a"), std::string("a-"),
                           std::string("a b"), std::string("\u00e4"), std::string(64, 'a')}) {
    CHECK_FALSE(parse_namespaces(text).has_value());
  }
}
