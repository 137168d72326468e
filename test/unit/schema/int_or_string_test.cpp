#include "keelson/detail/schema/int_or_string.hpp"

#include <catch2/catch_test_macros.hpp>

namespace keelson::kube {
namespace {

Result<IntOrString> read(const std::string& json_text) {
  auto document = json::Document::parse(json_text);
  REQUIRE(document);
  return IntOrString::read(document->root());
}

std::string written(const IntOrString& value) {
  json::Writer writer;
  value.write(writer);
  return std::move(writer).take();
}

}  // namespace

TEST_CASE("a number stays a number and a text a text") {
  for (const char* text : {"8080", "-1", R"("8080")", R"("25%")", R"("")"}) {
    INFO(text);
    auto value = read(text);

    REQUIRE(value);
    CHECK(written(*value) == text);
  }
}

TEST_CASE("other values and numbers of more than 32 bits are rejected") {
  for (const char* text : {"null", "true", "1.5", "2147483648", "-2147483649", "[]", "{}"}) {
    INFO(text);
    CHECK_FALSE(read(text));
  }
}

TEST_CASE("a text that is a number can be read as one") {
  CHECK(IntOrString("8080").number() == 8080);
  CHECK(IntOrString("+1").number() == 1);
  CHECK(IntOrString("-1").number() == -1);
  CHECK(IntOrString("25%").number() == 0);
  CHECK(IntOrString("http").number() == 0);
  CHECK(IntOrString("").number() == 0);
  CHECK(IntOrString("+-1").number() == 0);
  CHECK(IntOrString("99999999999").number() == 0);
  CHECK(IntOrString(80).text() == "80");
  CHECK(IntOrString("http").text() == "http");
  CHECK_FALSE(IntOrString(80) == IntOrString("80"));
}

}  // namespace keelson::kube
