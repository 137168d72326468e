#include "keelson/detail/base/text.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace keelson::base;

TEST_CASE("only ASCII letters have a case") {
  CHECK(to_lower("AZaz09[@`{-") == "azaz09[@`{-");
  CHECK(to_lower("\xc3\x84") == "\xc3\x84");
  CHECK(to_lower('Q') == 'q');
  CHECK(with_lower_first("Connection Refused") == "connection Refused");
  CHECK(with_lower_first("").empty());
}

TEST_CASE("trim removes white space at both ends and not in between") {
  CHECK(trim(" \t\r\na b\v\f ") == "a b");
  CHECK(trim("a") == "a");
  CHECK(trim(" \n").empty());
  CHECK(trim("").empty());
}

TEST_CASE("join writes the separator between all parts, also between empty ones") {
  CHECK(join({"a", "b", "c"}, ", ") == "a, b, c");
  CHECK(join({"", "b", ""}, ":") == ":b:");
  CHECK(join({"a"}, ",") == "a");
  CHECK(join({}, ",").empty());
}

TEST_CASE("control characters are those of ASCII") {
  for (const char c : {'\0', '\t', '\x1f', '\x7f'}) CHECK(is_control(c));
  for (const char c : {' ', '~', '\x80', '\xff'}) CHECK_FALSE(is_control(c));
}

TEST_CASE("control characters of ASCII and of Unicode become blanks, other letters stay") {
  CHECK(for_terminal("a\x1b[2J\x7f\nb") == "a [2J \nb");
  CHECK(for_terminal("\xC2\x9B"
                     "2J \xC2\xA0 \xC3\x84 \xC2") == " 2J \xC2\xA0 \xC3\x84 \xC2");
  CHECK(on_one_line("a\nb\xC2\x85") == "a b ");
}
