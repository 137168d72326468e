#include "keelson/detail/cel/pattern.hpp"

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

TEST_CASE("patterns match as in Go") {
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
      {R"(^\p{Greek}+$)", "\u03b1", "\u00e9"},
      {R"(^\pN\P{Lu}$)", "\u0664a", "1A"},
      {"(?i)^k$", "\u212a", "x"},
      {"^(?<a>b)(?P<a>c)[(?<a>]$", "bc<", "bcb"},
      {R"(^\Q(?<a>\E\(?<a>$)", "(?<a><a>", "a"},
      {R"(a\z)", "ba", "a\n"},
      {"a$", "ba", "a\n"},
      {"^a|b$", "ax", "xa"},
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
      {R"(a\C)", R"(invalid escape sequence: `\C`)"},
      {R"([\C])", R"(invalid escape sequence: `\C`)"},
      {"(?<\u00e9>a)", "invalid named capture: `(?<\u00e9>`"},
      {"b(?P<a", "invalid named capture: `(?P<a`"},
      {"(?<a>b", "missing closing ): `(?<a>b`"},
      {"(a{1000}){2}", "invalid repeat count: `{2}`"},
      {R"(\p{Elvish})", R"(invalid character class range: `\p{Elvish}`)"},
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
  std::string many_repeats;
  for (int i = 0; i < 6; ++i) many_repeats += "a{0,1000}";
  std::string many_tables;
  for (int i = 0; i < 501; ++i) many_tables += R"(\pL?)";

  CHECK_FALSE(Pattern::compile("((a{1000}){1000}){1000}"));
  for (const auto& pattern : {many_repeats, many_tables, std::string(R"(\pL{1000})")}) {
    const auto compiled = Pattern::compile(pattern);
    REQUIRE_FALSE(compiled);
    CHECK(compiled.error().text == "error parsing regexp: expression too large: `" + pattern + "`");
  }
}

TEST_CASE("a pattern is nested at most 1000 deep") {
  CHECK(Pattern::compile(std::string(1'000, '(') + std::string(1'000, ')')));
  const auto deep = Pattern::compile(std::string(1'001, '(') + std::string(1'001, ')'));
  REQUIRE_FALSE(deep);
  CHECK(deep.error().text.starts_with("error parsing regexp: expression nests too deeply: `((("));
}

TEST_CASE("a pattern with repetitions of nothing is not compiled a thousand times") {
  const auto empty = Pattern::compile("((((((){1000}){1000}){1000}){1000}){1000})");

  REQUIRE_FALSE(empty);
  CHECK(empty.error().text == "error parsing regexp: invalid repeat count: `{1000}`");
}

TEST_CASE("a pattern may have 65536 bytes") {
  auto compiled = Pattern::compile(std::string(65'537, 'a'));

  REQUIRE_FALSE(compiled);
  CHECK(compiled.error().text == "error parsing regexp: the expression has more than 65536 bytes");
}

TEST_CASE("a large pattern costs more steps") {
  std::size_t few = 1'000'000;
  std::size_t many = few;
  const auto small = Pattern::compile("^a{10}$");
  const auto large = Pattern::compile("^.{1000}$");
  const std::string text(1'000, 'a');

  REQUIRE(small);
  REQUIRE(large);
  CHECK(small->size() < 50);
  CHECK(large->size() > 5'000);
  CHECK(small->matches(text, few) == false);
  CHECK(large->matches(text, many) == true);
  CHECK(few > many + 100'000);
}

TEST_CASE("a byte that is not UTF-8 matches as U+FFFD") {
  CHECK(matches("^.$", "\xff"));
  CHECK(matches("^a\uFFFD{3}$", "a\xed\xa0\x80"));
  CHECK_FALSE(matches("^[a-z]$", "\xff"));
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
