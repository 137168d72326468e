#include "src/sandbox/fields/text_diff.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>

namespace keelson::sandbox {

TEST_CASE("a unified diff has three lines of context and the lines that differ") {
  CHECK(unified_diff("a\nb", "a\nb").empty());
  CHECK(unified_diff("1\n2\n3\n4\n5\n6", "1\n2\n3\n4\nx\n6") == "@@ -2,5 +2,5 @@\n 2\n 3\n 4\n-5\n+x\n 6\n");
  CHECK(unified_diff("a", "b") == "@@ -1 +1 @@\n-a\n+b\n");
}

TEST_CASE("a unified diff of texts that take too long to compare is empty") {
  std::string text;
  for (int i = 0; i < 60'000; ++i) text += std::to_string(i % 150) + "\n";
  CHECK(unified_diff(text, text + "x").empty());
}

}  // namespace keelson::sandbox
