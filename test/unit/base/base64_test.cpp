#include "keelson/detail/base/base64.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace keelson::base;

TEST_CASE("base64 has padding, and decodes to the same bytes") {
  struct Row {
    std::string bytes;
    const char* text;
  };
  const Row rows[] = {{"", ""},        {"f", "Zg=="},          {"fo", "Zm8="},
                      {"foo", "Zm9v"}, {"foobar", "Zm9vYmFy"}, {std::string("\0\xff\xfe", 3), "AP/+"},
                      {"\xfb", "+w=="}};
  for (const auto& row : rows) {
    INFO(row.text);
    CHECK(base64_encode(row.bytes) == row.text);
    const auto decoded = base64_decode(row.text);
    REQUIRE(decoded);
    CHECK(*decoded == row.bytes);
  }
}

TEST_CASE("base64 is decoded across line breaks, and an error names the offset that Go reports") {
  CHECK(base64_decode("Zm\r\n9v\n").value() == "foo");
  CHECK(base64_decode("Zg=\n=\n").value() == "f");
  struct Row {
    const char* text;
    int offset;
  };
  const Row rows[] = {{"Zm9v!", 4}, {"Zg", 0},  {"Zm9vZg", 4},   {"=", 0},
                      {"Z===", 1},  {"Zg=", 3}, {"Zg==Zg==", 4}, {"Zg=a", 2}};
  for (const auto& row : rows) {
    INFO(row.text);
    const auto decoded = base64_decode(row.text);
    REQUIRE_FALSE(decoded);
    CHECK(decoded.error().text == "illegal base64 data at input byte " + std::to_string(row.offset));
  }
}

TEST_CASE("base64url has other letters and no padding") {
  const std::string bytes("\xfb\xff\xfe?", 4);
  CHECK(base64url_encode(bytes) == "-__-Pw");
  CHECK(base64url_decode("-__-Pw") == bytes);
  CHECK(base64url_decode("") == "");
  for (const char* text : {"-__-Pw==", "+//+Pw", "-__-\nPw", "-__-\rPw", "-__-P", "-__-!w"}) {
    INFO(text);
    CHECK_FALSE(base64url_decode(text).has_value());
  }
}
