#include "keelson/base/utf8.hpp"

#include <catch2/catch_test_macros.hpp>

using keelson::base::first_rune;
using keelson::base::to_valid_utf8;

TEST_CASE("a well-formed sequence is measured and decoded") {
  struct Row {
    const char* text;
    std::size_t bytes;
    std::uint32_t code_point;
  };
  const Row rows[] = {{"a", 1, 'a'},
                      {"\u00e4b", 2, 0xE4},
                      {"\u4e16", 3, 0x4E16},
                      {"\U0001F600", 4, 0x1F600},
                      {"\U0010FFFF", 4, 0x10FFFF}};
  for (const auto& row : rows) {
    auto rune = first_rune(row.text);
    CHECK(rune.bytes == row.bytes);
    CHECK(rune.code_point == row.code_point);
  }
}

TEST_CASE("a sequence that is invalid in Go has no rune") {
  const std::string_view rows[] = {"",
                                   "\x80",              // a continuation without its lead
                                   "\xc3",              // cut short
                                   "\xc3(",             // no continuation
                                   "\xc0\x80",          // overlong
                                   "\xe0\x80\x80",      // overlong
                                   "\xf0\x80\x80\x80",  // overlong
                                   "\xed\xa0\x80",      // surrogate
                                   "\xf4\x90\x80\x80",  // beyond U+10FFFF
                                   "\xff"};
  for (auto text : rows) CHECK(first_rune(text).bytes == 0);
}

TEST_CASE("every invalid byte is replaced, and valid text stays") {
  CHECK(to_valid_utf8("a\xff\u00e4\xed\xa0z") == "a\ufffd\u00e4\ufffd\ufffdz");
  CHECK(to_valid_utf8("plain") == "plain");
}
