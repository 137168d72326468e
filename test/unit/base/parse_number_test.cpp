#include "keelson/detail/base/parse_number.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <limits>

using keelson::base::parse_number;

TEST_CASE("a number is the whole text") {
  CHECK(parse_number<int>("0") == 0);
  CHECK(parse_number<int>("-17") == -17);
  CHECK(parse_number<int>("007") == 7);
  for (const auto* text : {"", " 1", "1 ", "+1", "1s", "1.0", "--1", "-", "0x10", "1e3"}) {
    INFO(text);
    CHECK_FALSE(parse_number<int>(text));
  }
}

TEST_CASE("a number that does not fit into its type is none, and an unsigned number has no sign") {
  CHECK(parse_number<std::uint16_t>("65535") == 65535);
  CHECK_FALSE(parse_number<std::uint16_t>("65536"));
  CHECK_FALSE(parse_number<std::uint64_t>("-1"));
  CHECK(parse_number<std::int64_t>("-9223372036854775808") == std::numeric_limits<std::int64_t>::min());
  CHECK_FALSE(parse_number<std::int64_t>("9223372036854775808"));
}

TEST_CASE("a number in another radix has no prefix") {
  CHECK(parse_number<std::uint32_t>("1F600", 16) == 0x1F600);
  CHECK(parse_number<std::uint32_t>("17", 8) == 15);
  CHECK_FALSE(parse_number<std::uint32_t>("0x1F", 16));
  CHECK_FALSE(parse_number<std::uint32_t>("18", 8));
}

TEST_CASE("a floating-point number has digits, a fraction and an exponent") {
  CHECK(parse_number<double>("2.5e-1") == 0.25);
  CHECK_FALSE(parse_number<double>("2.5%"));
  CHECK_FALSE(parse_number<double>("1e999"));
}
