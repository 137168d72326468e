#include "keelson/cel/pattern.hpp"

#include <catch2/catch_test_macros.hpp>

namespace keelson::cel {
namespace {

bool matches(std::string_view pattern, std::string_view text) {
  auto compiled = Pattern::compile(pattern);
  INFO(pattern);
  REQUIRE(compiled);
  std::size_t steps = 1'000'000;
  return compiled->matches(text, steps).value();
}

TEST_CASE("patterns match as RE2 does") {
  struct Row {
    const char* pattern;
    const char* yes;
    const char* no;
  };
  const Row rows[] = {
      {"b", "abc", "ac"},
      {"^a+$", "aaa", "aab"},
      {"^(a|bc)*d?$", "abcad", "abd c"},
      {"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", "a-b", "a-"},
      {"^a{2,3}$", "aaa", "aaaa"},
      {"^a{2}$", "aa", "a"},
      {"^a{2,}$", "aaaaa", "a"},
      {"^a{,2}$", "a{,2}", "aa"},
      {R"(^\d+\.\d+$)", "1.25", "1x25"},
      {R"(^[\w.-]+$)", "a_b.c-d", "a b"},
      {R"(\bfoo\b)", "a foo b", "afoob"},
      {"(?i)^abc$", "aBC", "abd"},
      {"^(?i:a)b$", "Ab", "AB"},
      {"^[^/]+$", "ab", "a/b"},
      {"^[[:alpha:]]+$", "ab", "a1"},
      {"^.$", "ä", "\n"},
      {"(?s)^.$", "\n", "ab"},
      {"(?m)^b$", "a\nb", "ab"},
      {R"(^\x41\x{42}$)", "AB", "ab"},
      {R"(^\Qa.b\E$)", "a.b", "axb"},
      {"^[]a]+$", "]a", "b"},
      {"^(a*)*$", "aaa", "b"},
      {R"(^\p{L}+$)", "aé", "1"},
      {"^(?P<x>a)$", "a", "b"},
      {R"(^\S+@\S+$)", "a@b", "a b"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.pattern);
    CHECK(matches(row.pattern, row.yes));
    CHECK_FALSE(matches(row.pattern, row.no));
  }
}

TEST_CASE("malformed patterns have the errors of Go") {
  const std::pair<const char*, const char*> rows[] = {
      {"(a", "missing closing ): `(a`"},
      {"a)", "unexpected ): `a)`"},
      {"[a", "missing closing ]: `[a`"},
      {"*a", "missing argument to repetition operator: `*`"},
      {"a**", "invalid nested repetition operator: `**`"},
      {R"(\y)", R"(invalid escape sequence: `\y`)"},
      {"(?=a)", "invalid or unsupported Perl syntax: `(?=`"},
      {"a{1001}", "invalid repeat count: `{1001}`"},
      {"[z-a]", "invalid character class range: `z-a`"},
      {"a\\", "trailing backslash at end of expression: ``"},
  };
  for (const auto& [pattern, why] : rows) {
    auto compiled = Pattern::compile(pattern);
    REQUIRE_FALSE(compiled);
    CHECK(compiled.error().text == std::string("error parsing regexp: ") + why);
  }
}

TEST_CASE("a match takes time linear to the text, and ends when its steps are exhausted") {
  auto compiled = Pattern::compile("^(a+)+$");
  std::size_t steps = 1'000'000;

  CHECK(compiled->matches(std::string(10'000, 'a') + "b", steps) == false);
  CHECK(steps > 800'000);
  CHECK_FALSE(compiled->matches(std::string(1'000'000, 'a'), steps).has_value());
}

TEST_CASE("a pattern that would take too much memory is not compiled") {
  CHECK_FALSE(Pattern::compile("((a{1000}){1000}){1000}"));
  CHECK_FALSE(Pattern::compile(std::string(10'000, '(')));
}

TEST_CASE("a pattern that would take too long to compile is not compiled") {
  auto empty = Pattern::compile("((((((){1000}){1000}){1000}){1000}){1000})");
  auto large = Pattern::compile("((){1000}){10}");

  REQUIRE_FALSE(empty);
  CHECK(empty.error().text.find("expression too large") != std::string::npos);
  REQUIRE(large);
  CHECK(large->size() > 2000);
}

TEST_CASE("a pattern may have 65536 bytes") {
  auto compiled = Pattern::compile(std::string(65'537, 'a'));

  REQUIRE_FALSE(compiled);
  CHECK(compiled.error().text == "error parsing regexp: the expression has more than 65536 bytes");
}

TEST_CASE("a repeated class is stored once") {
  std::string ranges;
  for (int i = 0; i < 10'000; i += 2) {
    ranges += static_cast<char>(0xE4 + i / 4096);
    ranges += static_cast<char>(0x80 + i / 64 % 64);
    ranges += static_cast<char>(0x80 + i % 64);
  }

  CHECK(Pattern::compile("([" + ranges + "]{1000}){19}"));
}

TEST_CASE("unclosed brackets and braces are plain characters") {
  std::string brackets = "[";
  for (int i = 0; i < 15'000; ++i) brackets += "[:";

  CHECK(Pattern::compile("a" + std::string(15'000, '{') + "}"));
  CHECK(Pattern::compile(brackets + "a]"));
  CHECK(matches("^a{123456789,$", "a{123456789,"));
  CHECK(matches("^[[:a]+$", "[:a"));
}

}  // namespace
}  // namespace keelson::cel
