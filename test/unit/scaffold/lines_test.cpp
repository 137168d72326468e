#include "src/scaffold/lines.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace keelson::scaffold;

TEST_CASE("a line is inserted above its marker with the marker's indentation") {
  const auto text = insert_at_marker("a();\n  // +scaffold:calls\nmine();\n", "x.cpp", "calls", "b();");

  REQUIRE(text);
  CHECK(*text == "a();\n  b();\n  // +scaffold:calls\nmine();\n");
}

TEST_CASE("a line that a person has moved is not inserted again") {
  constexpr const char* kText = "    b();\n// +scaffold:calls\n";

  CHECK(*insert_at_marker(kText, "x.cpp", "calls", "b();") == kText);
}

TEST_CASE("without its marker, a line is not inserted, and the error has the line") {
  const auto text = insert_at_marker("a();\n", "x.cpp", "calls", "b();");

  REQUIRE_FALSE(text);
  CHECK(text.error().text ==
        "x.cpp has no comment \"+scaffold:calls\", above which this line belongs: b();\n"
        "Insert the comment or the line, and run the command again");
}

TEST_CASE("the blocks of a tag are commented out and in, and no others") {
  constexpr const char* kEnabled =
      "resources:\n"
      "# [A] The comment\n"
      "# of a block.\n"
      "- a.yaml\n"
      "# [B]\n"
      "- b.yaml\n"
      "patches:\n"
      "# [A]\n"
      "- path: patch.yaml\n"
      "  target:\n"
      "    kind: Deployment\n"
      "# A comment.\n"
      "- other.yaml\n";
  constexpr const char* kDisabled =
      "resources:\n"
      "# [A] The comment\n"
      "# of a block.\n"
      "#- a.yaml\n"
      "# [B]\n"
      "- b.yaml\n"
      "patches:\n"
      "# [A]\n"
      "#- path: patch.yaml\n"
      "#  target:\n"
      "#    kind: Deployment\n"
      "# A comment.\n"
      "- other.yaml\n";

  CHECK(disable_blocks(kEnabled, "A", blocks_of(kEnabled, "A")) == kDisabled);
  CHECK(enable_blocks(kDisabled, "A", blocks_of(kEnabled, "A")) == kEnabled);
  CHECK(enable_blocks(kEnabled, "A", blocks_of(kEnabled, "A")) == kEnabled);
  CHECK(disable_blocks(kDisabled, "A", blocks_of(kEnabled, "A")) == kDisabled);
}

TEST_CASE("a block may begin with a key of the file, and ends before the next one") {
  constexpr const char* kEnabled = "# [A] Text.\ncomponents:\n- ../a\npatches:\n- b\n";
  constexpr const char* kDisabled = "# [A] Text.\n#components:\n#- ../a\npatches:\n- b\n";

  CHECK(enable_blocks(kDisabled, "A", blocks_of(kEnabled, "A")) == kEnabled);
  CHECK(disable_blocks(kEnabled, "A", blocks_of(kEnabled, "A")) == kDisabled);
}

TEST_CASE("line breaks of Windows and a missing one at the end stay as they are") {
  const auto text = insert_at_marker("a();\r\n  // +scaffold:calls\r\nmine();", "x.cpp", "calls", "b();");

  REQUIRE(text);
  CHECK(*text == "a();\r\n  b();\r\n  // +scaffold:calls\r\nmine();");
}

TEST_CASE("a line that a user has added to a block stays as it is") {
  const std::vector<Block> known{{"- a.yaml"}};

  CHECK(disable_blocks("# [A]\n- a.yaml\n- mine.yaml\n", "A", known) == "# [A]\n#- a.yaml\n- mine.yaml\n");
  CHECK(enable_blocks("# [A]\r\n#- a.yaml\r\n#- mine.yaml\r\n", "A", known) == "# [A]\r\n- a.yaml\r\n#- mine.yaml\r\n");
}

TEST_CASE("an include is inserted in its place") {
  const auto text =
      insert_at_marker("#include \"x.hpp\"\n\n#include \"a.hpp\"\n#include \"c.hpp\"\n// +scaffold:includes\n", "x.cpp",
                       "includes", "#include \"b.hpp\"");

  REQUIRE(text);
  CHECK(*text ==
        "#include \"x.hpp\"\n\n#include \"a.hpp\"\n#include \"b.hpp\"\n#include \"c.hpp\"\n// +scaffold:includes\n");
}

TEST_CASE("a block that a user has written next to one with the same lines stays as it is") {
  const std::vector<Block> known{{"- path: a.yaml", "  target:", "    kind: Deployment"}};
  constexpr const char* kText =
      "# [A]\n#- path: a.yaml\n#  target:\n#    kind: Deployment\n#- path: mine.yaml\n#  target:\n#    kind: "
      "Deployment\n";

  CHECK(enable_blocks(kText, "A", known) ==
        "# [A]\n- path: a.yaml\n  target:\n    kind: Deployment\n#- path: mine.yaml\n#  target:\n#    kind: "
        "Deployment\n");
}
