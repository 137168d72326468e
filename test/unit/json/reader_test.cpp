#include "keelson/detail/json/reader.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/json/limits.hpp"
#include "keelson/detail/json/path_scan.hpp"
#include "keelson/json/value.hpp"

using namespace keelson;
using json::Token;

namespace {

// All tokens of the text, a letter each, read `slice` bytes at a time; "!" where it fails.
std::string tokens_of(std::string_view text, std::size_t slice = 1 << 20) {
  json::Reader reader(text);
  std::string letters;
  for (std::size_t turns = 0; turns < 100'000; ++turns) {
    reader.allow(slice);
    for (;;) {
      const auto token = reader.next();
      if (token == Token::kPause) break;
      letters += std::string_view("{}[]nsdtf0$ !")[static_cast<std::size_t>(token)];
      if (token == Token::kEnd || token == Token::kFailed) return letters;
    }
  }
  return letters + "...";
}

std::size_t turns_of(json::PathScan& scan, std::size_t slice) {
  std::size_t turns = 1;
  for (auto done = scan.advance(slice); done && !*done; done = scan.advance(slice)) ++turns;
  return turns;
}

const std::string kTexts[] = {
    R"({"a":[1,-2.5e3,true,false,null,"x"],"b":{}})",
    " [ ] ",
    R"( { "a" : [ { } , [ "\u00e9\n" ] ] , "" : "äöü€" } )",
    "0",
    R"("\ud83d\ude00")",
    "",
    "[",
    "{",
    R"({"a")",
    R"({"a":})",
    R"({"a":1,})",
    "[1,]",
    "[1 2]",
    "[}",
    R"({"a":1]")",
    "\"",
    "\"\\",
    "\"\\x\"",
    R"("\ud83d")",
    R"("\udc00")",
    "\"\x01\"",
    "\"\xff\"",
    "\"\xc3\"",
    "01",
    "1.",
    "-",
    "tru",
    "truex",
    "1 1",
    R"({1:2})",
    R"({"a":1 "b":2})",
};

}  // namespace

TEST_CASE("a text is read as tokens, and trailing or missing text is an error") {
  CHECK(tokens_of(R"({"a":[1,true,false,null,"x"],"b":{}})") == "{n[dtf0s]n{}}$");
  CHECK(tokens_of("[1,]") == "[d!");
  CHECK(tokens_of("{} {}") == "{}!");
}

TEST_CASE("the reader accepts and rejects the same texts as the tree parser") {
  for (const auto& text : kTexts) {
    INFO(text);
    CHECK(tokens_of(text).ends_with('$') == json::Document::parse(text).has_value());
  }
}

TEST_CASE("slices of any size give the same tokens") {
  for (const auto& text : kTexts) {
    for (const std::size_t slice : {1u, 2u, 3u, 7u, 64u}) CHECK(tokens_of(text, slice) == tokens_of(text));
  }
}

TEST_CASE("nesting deeper than the limit is rejected") {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };

  CHECK(tokens_of(nested(limits::kJsonDepth)).ends_with('$'));
  CHECK(tokens_of(nested(limits::kJsonDepth + 1)).ends_with('!'));
}

TEST_CASE(
    "a long string and a long run of spaces are read in slices, and a number of more than 1024 digits is rejected") {
  const auto long_text = "\"" + std::string(1 << 20, 'x') + "\"";
  const auto spaces = std::string(1 << 20, ' ') + "1";
  json::PathScan of_text(long_text, {});
  json::PathScan of_spaces(spaces, {});

  CHECK(turns_of(of_text, 64 << 10) >= 16);
  CHECK(turns_of(of_spaces, 64 << 10) >= 16);
  CHECK(tokens_of(std::string(1024, '1')) == "d$");
  CHECK(tokens_of(std::string(1025, '1')) == "!");
}

TEST_CASE("numbers are read as in a tree") {
  for (const std::string text :
       {"0", "-1", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
        "18446744073709551616", "1.0", "1.5", "1e3", "-0", "1e300", "9007199254740993", "0e50"}) {
    INFO(text);
    const auto tree = *json::Document::parse(text);
    json::Reader reader(text);
    reader.allow(100);
    REQUIRE(reader.next() == Token::kNumber);
    CHECK(reader.integer() == tree.root().integer());
    CHECK(reader.number() == tree.root().number());
  }
}

TEST_CASE("the body of a string is decoded in portions of any size") {
  const std::string body = R"(a\n\u00e9\ud83d\ude00é\\x)";
  for (const std::size_t portion : {1u, 2u, 5u, 100u}) {
    std::string out;
    std::string_view rest = body;
    while (!rest.empty()) json::decode_some(rest, portion, out);
    CHECK(out == "a\né😀é\\x");
  }
}

TEST_CASE("a scan finds the values at its paths, and the last of duplicates counts") {
  const std::string text = R"({"a":{"b":1,"c":[{"b":2}]},"d":"x\"y","a":{"b":{"e":3}, "\u0062": [4] },"f":null})";
  json::PathScan scan(text, {{"a", "b"}, {"a"}, {"d"}, {"f"}, {"a", "c"}, {"g"}, {}});

  const auto done = scan.advance(1 << 20);
  REQUIRE(done.has_value());
  CHECK(*done);

  CHECK(scan.value(0) == "[4]");
  CHECK(scan.value(1) == R"({"b":{"e":3}, "\u0062": [4] })");
  CHECK(scan.text(2) == "x\"y");
  CHECK(scan.value(3) == "null");
  CHECK(scan.value(4).empty());
  CHECK(scan.value(5).empty());
  CHECK(scan.value(6) == text);
}

TEST_CASE("a scan reports the error of the text and its offset") {
  json::PathScan scan(R"({"a":1,"b":x})", {{"a"}});

  const auto done = scan.advance(100);

  REQUIRE(!done);
  CHECK(done.error().text == "JSON: expected a value (at byte 11)");
}

TEST_CASE("each byte uses a byte of the allowance, also in spaces and strings") {
  for (const std::string& space : {std::string(), std::string(" "), std::string(50, ' ')}) {
    std::string text;
    for (const std::string part : {"{", R"("a")", ":", "[", "12", ",", R"("\\u00e9b")", ",", "null", "]", "}"}) {
      text += space + part;
    }
    INFO(text);
    json::Reader reader(text);
    reader.allow(text.size() + 1);

    auto token = reader.next();
    while (token != Token::kPause && token != Token::kEnd && token != Token::kFailed) token = reader.next();

    CHECK(token == Token::kEnd);
  }
}

TEST_CASE("the end is an empty token after the value") {
  for (const std::string text : {R"("a")", "1", "[]"}) {
    INFO(text);
    json::Reader reader(text);
    reader.allow(100);
    while (reader.next() != Token::kEnd) continue;

    CHECK(reader.token_begin() == text.size());
    CHECK(reader.token_end() == text.size());
  }
}
