#include "keelson/json/value.hpp"

#include <catch2/catch_test_macros.hpp>
#include <limits>

#include "keelson/detail/json/limits.hpp"
#include "keelson/detail/json/member_index.hpp"
#include "keelson/json/writer.hpp"

namespace keelson::json {
namespace {

Document parse(std::string_view text) {
  auto document = Document::parse(text);
  INFO(text);
  REQUIRE(document);
  return std::move(*document);
}

bool equal_texts(std::string_view left, std::string_view right) {
  const Document a = parse(left);
  const Document b = parse(right);
  REQUIRE(equal(a.root(), b.root()) == equal(b.root(), a.root()));
  return equal(a.root(), b.root());
}

TEST_CASE("a value is read as its own type only") {
  const Document document = parse(R"({"s":"a\u0000b","i":-7,"d":1.5,"w":2.0,"t":true,"n":null,"o":{"p":[1,"x"]}})");
  const View root = document.root();

  CHECK(root.find("s").string() == std::string_view("a\0b", 3));
  CHECK(root.find("i").integer() == -7);
  CHECK(root.find("i").number() == -7.0);
  CHECK(root.find("d").number() == 1.5);
  CHECK_FALSE(root.find("d").integer());
  CHECK(root.find("w").integer() == 2);
  CHECK(root.find("t").boolean() == true);
  CHECK(root.find("n").is_null());
  CHECK_FALSE(root.find("n").has_value());
  CHECK(root.at({"o", "p"}).item(1).string() == "x");
  CHECK(root.at({"o", "p"}).size() == 2);
  CHECK_FALSE(root.find("i").string());
  CHECK_FALSE(root.find("s").integer());
  CHECK_FALSE(root.find("t").number());
}

TEST_CASE("lookups below an absent view are absent") {
  const Document document = parse(R"({"a":[1]})");
  const View missing = document.root().at({"a", "b", "c"});

  CHECK(missing.is_absent());
  CHECK_FALSE(missing.is_null());
  CHECK_FALSE(missing.string());
  CHECK(missing.size() == 0);
  CHECK(missing.item(0).is_absent());
  CHECK(document.root().find("a").item(1).is_absent());
  CHECK(missing.text() == "null");
  for ([[maybe_unused]] const auto& member : missing.members()) FAIL("an absent view has no members");
}

TEST_CASE("the last of duplicate members is found") {
  const Document document = parse(R"({"a":1,"b":2,"a":3})");

  CHECK(document.root().find("a").integer() == 3);
  CHECK(document.root().size() == 3);
  CHECK(equal_texts(R"({"a":1,"b":2,"a":3})", R"({"b":2,"a":3})"));
  CHECK_FALSE(equal_texts(R"({"a":1,"b":2,"a":3})", R"({"b":2,"a":1})"));
}

TEST_CASE("members and items are in the order of the text") {
  const Document document = parse(R"({"b":1,"a":[10,20],"c":{}})");

  std::string names;
  for (const auto& [name, value] : document.root().members()) names += std::string(name) + "=" + value.text() + ";";
  std::int64_t sum = 0;
  for (const View item : document.root().find("a").items()) sum += item.integer().value_or(0);

  CHECK(names == "b=1;a=[10,20];c={};");
  CHECK(sum == 30);
}

TEST_CASE("integers are exact and floats stay floats") {
  const char* const rows[] = {
      "9223372036854775807",     "-9223372036854775808", "18446744073709551615", "0.1", "1.0", "-0.0", "1e-7", "5e-324",
      "1.7976931348623157e+308", "123456789.12345679"};

  for (const char* row : rows) CHECK(parse(row).root().text() == row);
  CHECK(parse("1e-400").root().number() == 0.0);
  CHECK(parse("123456789012345678901234567890").root().number() == 123456789012345678901234567890.0);
  CHECK(parse("18446744073709551615").root().integer() == std::nullopt);
  CHECK(parse("9223372036854775808.0").root().integer() == std::nullopt);
  CHECK(parse("-9223372036854775808.0").root().integer() == std::numeric_limits<std::int64_t>::min());
}

TEST_CASE("a text that is not exactly one JSON value is rejected with the byte offset") {
  const std::string deep(limits::kJsonDepth + 1, '[');
  const std::string_view rows[] = {"",
                                   "{",
                                   "{}{}",
                                   "[1,]",
                                   "{\"a\"}",
                                   "nul",
                                   "01",
                                   "\"a",
                                   "\"\x01\"",
                                   "\"\xFF\"",
                                   "\"\\ud800\"",
                                   "\"\\udc00\"",
                                   "1e999",
                                   std::string_view("1\0x", 3),
                                   std::string_view("{}\0", 3),
                                   deep,
                                   "\xEF\xBB\xBF{}"};

  for (const std::string_view row : rows) {
    const auto document = Document::parse(row);
    INFO(row);
    REQUIRE_FALSE(document);
    CHECK(document.error().kind == Error::Kind::kMalformed);
    CHECK(document.error().text.find("(at byte ") != std::string::npos);
  }
}

TEST_CASE("nesting is accepted up to the limit, and a million brackets are rejected") {
  const std::string most = std::string(limits::kJsonDepth, '[') + std::string(limits::kJsonDepth, ']');

  CHECK(parse(most).root().text() == most);
  CHECK_FALSE(Document::parse(std::string(1'000'000, '[')));
}

TEST_CASE("equality compares values, not order or notation") {
  CHECK(equal_texts("1", "1.0"));
  CHECK(equal_texts(R"({"a":1,"b":[{}]})", R"({"b":[{}],"a":1e0})"));
  CHECK(equal_texts(R"("\u0041")", R"("A")"));
  CHECK_FALSE(equal_texts("9007199254740993", "9007199254740992.0"));
  CHECK_FALSE(equal_texts("-1", "18446744073709551615"));
  CHECK_FALSE(equal_texts("[1,2]", "[2,1]"));
  CHECK_FALSE(equal_texts("[1]", "[1,1]"));
  CHECK_FALSE(equal_texts("{}", "[]"));
  CHECK_FALSE(equal_texts("null", "false"));
  CHECK_FALSE(equal_texts(R"({"a":null})", "{}"));
  CHECK(equal(View(), View()));
  CHECK_FALSE(equal(View(), parse("null").root()));
}

TEST_CASE("a writer writes compact JSON") {
  const Document document = parse(R"({"x":[1.0]})");
  Writer writer;

  writer.begin_object().field("s", "a").field("i", 3).field("b", true).field("d", 0.5).field("v", document.root());
  writer.key("l").begin_array().integer(-1).null().begin_object().end_object().string("").end_array();
  writer.raw_field("r", R"({"raw":1})").end_object();

  CHECK(std::move(writer).take() ==
        R"({"s":"a","i":3,"b":true,"d":0.5,"v":{"x":[1.0]},"l":[-1,null,{},""],"r":{"raw":1}})");
}

TEST_CASE("strings are escaped as Go escapes them") {
  CHECK(quoted("a\"\\/\b\f\n\r\t\x01\x7F<>&") == "\"a\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\x7F<>&\"");
  CHECK(quoted("\u00e9\U0001F600\u2028\u2029") == "\"\u00e9\U0001F600\\u2028\\u2029\"");
  CHECK(quoted("\xC3(\xED\xA0\x80\xFF") == "\"\\ufffd(\\ufffd\\ufffd\\ufffd\\ufffd\"");
  CHECK(quoted(std::string_view("\0", 1)) == "\"\\u0000\"");
}

TEST_CASE("numbers are written as Go writes them") {
  struct Row {
    double value;
    const char* text;
  };
  const Row rows[] = {{0, "0"},        {1, "1"},           {-2.5, "-2.5"}, {1e20, "100000000000000000000"},
                      {1e21, "1e+21"}, {1e-6, "0.000001"}, {1e-7, "1e-7"}, {1.5e-10, "1.5e-10"},
                      {0.1, "0.1"},    {5e-324, "5e-324"}};

  for (const Row& row : rows) {
    Writer writer;
    writer.number(row.value);
    CHECK(std::move(writer).take() == row.text);
  }
}

TEST_CASE("an item of a list is found by the text of a member") {
  const auto document = Document::parse(R"([1,{"name":2},{"name":"a","n":1},{"name":"b"},{"name":"a","n":2}])");
  REQUIRE(document);
  const View list = document->root();

  CHECK(item_with(list, "name", "a").find("n").integer() == 1);
  CHECK(item_with(list, "name", "c").is_absent());
  CHECK(item_with(list, "kind", "a").is_absent());
  CHECK(item_with(list.item(3), "name", "b").is_absent());
  CHECK(item_with({}, "name", "a").is_absent());
}

}  // namespace
}  // namespace keelson::json
