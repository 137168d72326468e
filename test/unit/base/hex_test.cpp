#include "keelson/detail/base/hex.hpp"

#include <array>
#include <catch2/catch_test_macros.hpp>

using namespace keelson::base;

TEST_CASE("a number is written with the lowest digits, and with leading zeros") {
  std::string text = "0x";
  append_hex(text, 0x2a, 4);
  append_hex(text, 0x123, 1);
  append_hex(text, 0xfedcba9876543210, 16);
  append_hex(text, 0xab, 2, HexLetters::kUpper);
  CHECK(text == "0x002a3fedcba9876543210AB");
}

TEST_CASE("bytes are written with two digits each") {
  CHECK(to_hex(std::array<unsigned char, 3>{0, 0x0f, 0xff}) == "000fff");
  CHECK(to_hex(std::array<unsigned char, 2>{0x0a, 0xbc}, HexLetters::kUpper) == "0ABC");
}

TEST_CASE("the letters of a hexadecimal digit have any case") {
  CHECK(hex_value('0') == 0);
  CHECK(hex_value('9') == 9);
  CHECK(hex_value('a') == 10);
  CHECK(hex_value('F') == 15);
  for (const char c : {'g', 'G', '/', ':', '@', '`', '\0', '\xff'}) CHECK(hex_value(c) == -1);
}
