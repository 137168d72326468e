#include "keelson/base/text.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace keelson::base;

TEST_CASE("only ASCII letters have a case") {
  CHECK(to_lower("AZaz09[@`{-") == "azaz09[@`{-");
  CHECK(to_lower("\xc3\x84") == "\xc3\x84");
  CHECK(to_lower('Q') == 'q');
  CHECK(with_lower_first("Connection Refused") == "connection Refused");
  CHECK(with_lower_first("").empty());
}

TEST_CASE("white space is taken off both ends and left in between") {
  CHECK(trim(" \t\r\na b\v\f ") == "a b");
  CHECK(trim("a") == "a");
  CHECK(trim(" \n").empty());
  CHECK(trim("").empty());
}

TEST_CASE("a separator stands between parts, empty ones too") {
  CHECK(join({"a", "b", "c"}, ", ") == "a, b, c");
  CHECK(join({"", "b", ""}, ":") == ":b:");
  CHECK(join({"a"}, ",") == "a");
  CHECK(join({}, ",").empty());
}
