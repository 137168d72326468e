#include "keelson/detail/json/yaml.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/base/limits.hpp"
#include "keelson/json/writer.hpp"
#include "test/support/text_or_error.hpp"

namespace keelson::json {
namespace {

using testing::text_or_error;

std::string to_yaml_text(std::string_view json) {
  const auto document = Document::parse(json);
  REQUIRE(document);
  return to_yaml(document->root());
}

TEST_CASE("plain scalars get the type that kubectl gives them") {
  struct Row {
    const char* yaml;
    const char* json;
  };
  const Row rows[] = {
      {"~", "null"},
      {"null", "null"},
      {"true", "true"},
      {"False", "false"},
      {"yes", "\"yes\""},
      {"on", "\"on\""},
      {"0", "0"},
      {"-7", "-7"},
      {"+5", "5"},
      {"0644", "420"},
      {"0o17", "15"},
      {"0x1F", "31"},
      {"08", "8"},
      {"1.5", "1.5"},
      {"1.0", "1"},
      {"1e3", "1000"},
      {".5", "0.5"},
      {"5.", "5"},
      {"1e-400", "0"},
      {"1.2.3", "\"1.2.3\""},
      {"v1", "\"v1\""},
      {"12345678901234567890", "12345678901234567890"},
      {"-9223372036854775808", "-9223372036854775808"},
      {"-10000000000000000001", "-10000000000000000000"},
      {"-0x10", "-16"},
      {"+0b11", "3"},
      {"-0", "0"},
      {"+1.5", "1.5"},
      {"-1.5", "-1.5"},
      {"'1'", "\"1\""},
      {"\"true\"", "\"true\""},
      {"!!str 1", "\"1\""},
      {"!!int \"3\"", "3"},
      {"2026-01-01", "\"2026-01-01\""},
      {"a: b", R"({"a":"b"})"},
      {"1: x\ntrue: y", R"({"1":"x","true":"y"})"},
      {"-", "[null]"},
      {"|\n  a\n  b\n", R"("a\nb\n")"},
      {">-\n  a\n  b\n", R"("a b")"},
      {"- {a: [1, b]}", R"([{"a":[1,"b"]}])"},
      {"a: 1\na: 2", R"({"a":2})"},
      {"", "null"},
      {"# only\n", "null"},
      {"---\n", "null"},
      {"{\"a\":\"\\u00e9\"}", "{\"a\":\"\u00e9\"}"},
  };

  for (const Row& row : rows) {
    INFO(row.yaml);
    CHECK(text_or_error(yaml_to_json(row.yaml)) == row.json);
  }
}

TEST_CASE("anchors, aliases and merge keys are resolved") {
  CHECK(text_or_error(yaml_to_json("a: &x {b: 1}\nc: *x\nd: [*x]\n")) == R"({"a":{"b":1},"c":{"b":1},"d":[{"b":1}]})");
  CHECK(text_or_error(yaml_to_json("a: &x {b: 1, c: 2}\nd:\n  <<: *x\n  c: 3\n")) ==
        R"({"a":{"b":1,"c":2},"d":{"b":1,"c":3}})");
  CHECK(text_or_error(yaml_to_json("x: &x {a: 1}\ny: &y {a: 2, b: 2}\nz:\n  <<: [*x, *y]\n")) ==
        R"({"x":{"a":1},"y":{"a":2,"b":2},"z":{"a":1,"b":2}})");
  CHECK(text_or_error(yaml_to_json("\"<<\": 1")) == R"({"<<":1})");
}

TEST_CASE("several documents are separated, and empty ones are left out") {
  const auto documents = yaml_documents_to_json("---\na: 1\n---\n# nothing\n---\n- b\n...\n---\nc\n");

  REQUIRE(documents);
  CHECK(*documents == std::vector<std::string>{R"({"a":1})", R"(["b"])", R"("c")"});
  CHECK(text_or_error(first_yaml_document_to_json("a\n---\nb\n")) == R"("a")");
  CHECK(text_or_error(first_yaml_document_to_json("# nothing\n---\na: 1\n---\n{ malformed\n")) == R"({"a":1})");
  CHECK(text_or_error(first_yaml_document_to_json("---\n---\nb\n")) == "null");
  CHECK(text_or_error(first_yaml_document_to_json("")) == "null");
  CHECK(text_or_error(yaml_to_json("a\n---\nb\n")) == "error: yaml: expected one document, found several");
}

TEST_CASE("errors name line and column") {
  CHECK(text_or_error(yaml_to_json("a: 1\nb: [1\n")).starts_with("error: yaml: line "));
  CHECK(text_or_error(yaml_to_json("a: .inf")) == "error: yaml: line 1, column 4: JSON cannot represent this number");
  CHECK(text_or_error(yaml_to_json("a: 1e999")) == "error: yaml: line 1, column 4: JSON cannot represent this number");
  CHECK(text_or_error(yaml_to_json("a: -1e999")) == "error: yaml: line 1, column 4: JSON cannot represent this number");
  CHECK(text_or_error(yaml_to_json("a:\n  *b")).starts_with("error: yaml: line 2, column 3: "));
  CHECK(text_or_error(yaml_to_json("a: 1\n? [b]\n: 2")) == "error: yaml: line 2, column 3: a key must be a scalar");
  CHECK(text_or_error(yaml_to_json("&a [*a]")).find("an alias inside of its own anchor") != std::string::npos);
}

TEST_CASE("a billion laughs attack is an error") {
  std::string text = "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string previous = "*a" + std::to_string(i - 1);
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int k = 0; k < 9; ++k) text += previous + (k < 8 ? ", " : "]\n");
  }

  CHECK(text_or_error(yaml_to_json(text)).find("take too much memory") != std::string::npos);
}

// `count` items in a list, each with the text.
std::string list_of(std::size_t count, const std::string& item) {
  std::string text = "[";
  for (std::size_t i = 0; i < count; ++i) text += (i == 0 ? "" : ",") + item;
  return text + "]";
}

TEST_CASE("values of YAML are limited by their memory, which is many times their text") {
  const std::string anchored = "a: &a " + list_of(1000, "1") + "\nb: ";
  const struct {
    const char* what;
    std::string text;
    bool is_read;
  } cases[] = {
      {"50,000 values in the text", list_of(50'000, "1"), true},
      {"a million values in the text", list_of(1'000'000, "1"), false},
      {"30,000 values by aliases", anchored + list_of(30, "*a"), true},
      {"300,000 values by aliases, with less than a megabyte of JSON", anchored + list_of(300, "*a"), false},
      {"60 documents of 5,000 values by aliases",
       [] {
         std::string text;
         for (int i = 0; i < 60; ++i) text += "---\na: &a " + list_of(100, "1") + "\nb: " + list_of(50, "*a") + "\n";
         return text;
       }(),
       false},
      {"many empty lists", list_of(1'000'000, "[]"), false},
      {"many nulls", "a: " + list_of(1'000'000, "~"), false},
  };
  for (const auto& row : cases) {
    INFO(row.what);
    const auto documents = yaml_documents_to_json(row.text);
    CHECK(documents.has_value() == row.is_read);
    if (!documents) CHECK(documents.error().text.find("take too much memory") != std::string::npos);
  }
}

TEST_CASE("a string of YAML may have as many commas as an object can store") {
  const std::string commas(190'000, ',');
  const auto json = yaml_to_json("a: |-\n  " + commas + "\nb: '" + commas + "'\n");
  REQUIRE(json);
  CHECK(json->size() > 2 * commas.size());
}

TEST_CASE("of 20,000 merged maps the first takes precedence") {
  std::string text = "x: &x {a: 1}\ny: &y {a: 2, b: 2}\nz:\n  <<: [*x";
  for (int i = 0; i < 20'000; ++i) text += ", *y";
  const auto json = yaml_to_json(text + "]\n");
  REQUIRE(json);
  CHECK(json->ends_with(R"("z":{"a":1,"b":2}})"));
}

TEST_CASE("YAML that is too deep or too large is rejected") {
  CHECK(text_or_error(yaml_to_json(std::string(200, '[') + std::string(200, ']'))).find("nested too deep") !=
        std::string::npos);
  CHECK_FALSE(yaml_to_json(std::string(100'000, '[')));
  CHECK(text_or_error(yaml_to_json(std::string(limits::kLocalFileBytes + 1, ' '))) ==
        "error: yaml: the text is too large");
}

TEST_CASE("YAML is written as controller-gen writes it") {
  CHECK(to_yaml_text(R"({"apiVersion":"v1","rules":[{"apiGroups":[""],"resources":["pods","*"],"verbs":[]},{"x":{}}],)"
                     R"("nested":{"list":[["a","b"],[1]],"n":null,"b":true,"f":1.5}})") ==
        "apiVersion: v1\n"
        "rules:\n"
        "- apiGroups:\n"
        "  - \"\"\n"
        "  resources:\n"
        "  - pods\n"
        "  - '*'\n"
        "  verbs: []\n"
        "- x: {}\n"
        "nested:\n"
        "  list:\n"
        "  - - a\n"
        "    - b\n"
        "  - - 1\n"
        "  \"n\": null\n"
        "  b: true\n"
        "  f: 1.5\n");
  CHECK(to_yaml_text(R"({"d":"first\nsecond\n\nlast","e":"one\n","f":["x\ny"]})") ==
        "d: |-\n"
        "  first\n"
        "  second\n"
        "\n"
        "  last\n"
        "e: |\n"
        "  one\n"
        "f:\n"
        "- |-\n"
        "  x\n"
        "  y\n");
  CHECK(to_yaml_text("{}") == "{}\n");
  CHECK(to_yaml_text("\"a\"") == "a\n");
}

TEST_CASE("strings are quoted if a reader would take them for another type") {
  const char* const plain[] = {"a",        "v1",       "a b",   "a:b", "http://x/y", "1.2.3",
                               "10.0.0.1", "--flag=x", "a#b",   "1a",  "500m",       "node.kubernetes.io/x",
                               "it's",     "a, b",     "\u00e9"};
  const char* const quoted_texts[] = {
      "",     "true", "null", "~",    "1",      "0x1",    "1.5",        ".5",    "yes",  "no",  "on",  "y",
      "a: b", "a:",   "a #b", " a",   "a ",     "- a",    "-",          "?",     "*",    "&a",  "!a",  "%a",
      "@a",   "`a",   "'a",   "[a",   "{a",     "# a",    "2026-01-01", "1_000", "1:30", "---", "...", "<<",
      "=",    "\t",   "a\tb", "\x7F", "\u0085", "\u2028", "\uFEFF",     ">",     "|",    ",",   ".inf"};

  for (const std::string text : plain) {
    CHECK(to_yaml_text(quoted(text)) == text + "\n");
  }
  for (const std::string text : quoted_texts) {
    const std::string yaml = to_yaml_text(quoted(text));
    INFO(yaml);
    CHECK((yaml[0] == '\'' || yaml[0] == '"'));
    CHECK(text_or_error(yaml_to_json(yaml)) == text_or_error(quoted(text)));
  }
}

TEST_CASE("written YAML is read back unchanged") {
  const char* const rows[] = {
      R"({"a":[[],{},[[1]],[{"b":[{"c":null}]}]],"d":"x\n","e":"\n","f":"\n\n","g":" a\nb","h":"a \nb","i":"a\n\n","j":"a\n b\n"})",
      R"(["a\n",{"b":"c\nd"},[["e\nf"]]])",
      R"({"multi\nline":1,"":2,"a: b":{"true":3}})",
      R"("one\ntwo")",
      R"({"s":"\u0000\u001f\ud83d\ude00 \u007f \u0080 \ufeff \u2029"})",
      R"({"s":"\t\nx","t":"#\n- a","u":"---\na"})",
  };

  for (const char* row : rows) {
    const auto document = Document::parse(row);
    REQUIRE(document);
    const std::string yaml = to_yaml(document->root());
    INFO(yaml);
    const auto json = yaml_to_json(yaml);
    REQUIRE(text_or_error(json) == document->root().text());
  }
}

TEST_CASE("keys that occur again in their map are reported with the line of their value, inner ones first") {
  std::vector<std::string> repeated;
  const auto json = yaml_to_json("a: 1\nb: {c: 1, c: 2}\na:\n  d: 1\n  d: 2\n", repeated);
  REQUIRE(json);
  CHECK(*json == R"({"a":{"d":2},"b":{"c":2}})");
  CHECK(repeated == std::vector<std::string>{"line 2: key \"c\" already set in map",
                                             "line 5: key \"d\" already set in map",
                                             "line 4: key \"a\" already set in map"});
}

}  // namespace
}  // namespace keelson::json
