#include "src/reference/markdown.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace keelson;

TEST_CASE("prose stays on its line, without markup") {
  CHECK(reference::prose("two\nlines") == "two lines");
  CHECK(reference::prose("5 * 3 <b> A_B [x]") == R"(5 \* 3 \<b> A_B \[x])");
}

TEST_CASE("a vertical bar in a text does not end the cell of a table") {
  CHECK(reference::row({"a", "", reference::code("b|c")}) == "| a | | `b\\|c` |\n");
  CHECK(reference::table_head({"a", ""}) == "| a | |\n|---|---|\n");
}
