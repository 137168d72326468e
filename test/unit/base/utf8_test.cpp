#include "keelson/detail/base/utf8.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>

using keelson::base::cut_utf8;
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

TEST_CASE("a text is UTF-8 if all of its sequences are well-formed, at any position in a block of eight bytes") {
  const std::string ascii(17, 'a');
  CHECK(keelson::base::is_utf8(""));
  CHECK(keelson::base::is_utf8(ascii + "\u4e16" + ascii));
  CHECK_FALSE(keelson::base::is_utf8(ascii + "\xff"));
  CHECK_FALSE(keelson::base::is_utf8("\xe4\xb8"));
}

TEST_CASE("a long text is cut before the character that does not fit whole") {
  CHECK(cut_utf8("plain", 5) == "plain");
  CHECK(cut_utf8("plain", 3) == "pla");
  CHECK(cut_utf8("plain", 0).empty());
  CHECK(cut_utf8("a\u00e4", 2) == "a");
  CHECK(cut_utf8("a\u00e4", 3) == "a\u00e4");
  for (std::size_t bytes = 1; bytes <= 4; ++bytes) CHECK(cut_utf8("a\U0001F600b", bytes) == "a");
  CHECK(cut_utf8("a\U0001F600b", 5) == "a\U0001F600");
  CHECK(cut_utf8("\u4e16", 2).empty());
}

TEST_CASE("a text that is not UTF-8 is cut at the limit") {
  const std::string continuations(10, '\x80');
  for (std::size_t bytes : {0U, 2U, 5U, 10U, 11U}) {
    CHECK(cut_utf8(continuations, bytes).size() == std::min(bytes, continuations.size()));
  }
}

TEST_CASE("an appended code point is read back") {
  for (const std::uint32_t code_point : {0x00u, 0x7Fu, 0x80u, 0x7FFu, 0x800u, 0xFFFFu, 0x10000u, 0x10FFFFu}) {
    std::string text;
    keelson::base::append_utf8(text, code_point);
    CHECK(first_rune(text).code_point == code_point);
    CHECK(keelson::base::first_rune_bytes(text) == text.size());
  }
}
