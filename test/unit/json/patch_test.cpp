#include "keelson/detail/json/patch.hpp"

#include <catch2/catch_test_macros.hpp>

#include "test/support/text_or_error.hpp"

namespace keelson::json {
namespace {

using testing::text_or_error;

TEST_CASE("a merge patch is applied as RFC 7386 defines") {
  struct Row {
    const char* target;
    const char* patch;
    const char* result;
  };
  // The table of appendix A.
  const Row rows[] = {
      {R"({"a":"b"})", R"({"a":"c"})", R"({"a":"c"})"},
      {R"({"a":"b"})", R"({"b":"c"})", R"({"a":"b","b":"c"})"},
      {R"({"a":"b"})", R"({"a":null})", "{}"},
      {R"({"a":"b","b":"c"})", R"({"a":null})", R"({"b":"c"})"},
      {R"({"a":["b"]})", R"({"a":"c"})", R"({"a":"c"})"},
      {R"({"a":"c"})", R"({"a":["b"]})", R"({"a":["b"]})"},
      {R"({"a":{"b":"c"}})", R"({"a":{"b":"d","c":null}})", R"({"a":{"b":"d"}})"},
      {R"({"a":[{"b":"c"}]})", R"({"a":[1]})", R"({"a":[1]})"},
      {R"(["a","b"])", R"(["c","d"])", R"(["c","d"])"},
      {R"({"a":"b"})", R"(["c"])", R"(["c"])"},
      {R"({"a":"foo"})", "null", "null"},
      {R"({"e":null})", R"({"a":1})", R"({"e":null,"a":1})"},
      {"[1,2]", R"({"a":"b","c":null})", R"({"a":"b"})"},
      {"{}", R"({"a":{"bb":{"ccc":null}}})", R"({"a":{"bb":{}}})"},
      {R"({"a":1,"a":2})", R"({"b":3,"b":4})", R"({"a":2,"b":4})"},
  };

  for (const Row& row : rows) {
    INFO(row.target << " " << row.patch);
    CHECK(text_or_error(merge_patch(row.target, row.patch)) == row.result);
  }
  CHECK(merge_patch("{", "{}").error().kind == Error::Kind::kMalformed);
  CHECK(merge_patch("{}", "{").error().kind == Error::Kind::kMalformed);
}

TEST_CASE("merge_diff returns the patch from one object to another") {
  const char* const values[] = {"{}", R"({"a":1})", R"({"a":{"b":1,"c":[1]},"d":"x"})",
                                R"({"a":{"c":[1,2]},"d":{"e":{}}})"};

  for (const char* before : values) {
    for (const char* after : values) {
      const auto old = Document::parse(before);
      const auto wanted = Document::parse(after);
      const std::string patch = merge_diff(old->root(), wanted->root());
      const auto merged = Document::parse(*merge_patch(before, patch));
      INFO(before << " to " << after << " by " << patch);
      CHECK(equal(merged->root(), wanted->root()));
      CHECK((patch == "{}") == equal(old->root(), wanted->root()));
    }
  }
}

TEST_CASE("a JSON patch is applied as RFC 6902 defines") {
  struct Row {
    const char* target;
    const char* operations;
    const char* result;
  };
  const Row rows[] = {
      {"{}", "[]", "{}"},
      {R"({"a":1})", R"([{"op":"add","path":"/b","value":2}])", R"({"a":1,"b":2})"},
      {R"({"a":1})", R"([{"op":"add","path":"/a","value":[]}])", R"({"a":[]})"},
      {R"({"a":[1,3]})", R"([{"op":"add","path":"/a/1","value":2},{"op":"add","path":"/a/-","value":4}])",
       R"({"a":[1,2,3,4]})"},
      {R"({"a":[1,2]})", R"([{"op":"remove","path":"/a/0"}])", R"({"a":[2]})"},
      {R"({"a":1,"b":2})", R"([{"op":"remove","path":"/a"}])", R"({"b":2})"},
      {R"({"a":1})", R"([{"op":"replace","path":"/a","value":null}])", R"({"a":null})"},
      {"1", R"([{"op":"replace","path":"","value":{"x":1}}])", R"({"x":1})"},
      {R"({"a":{"b":1},"c":{}})", R"([{"op":"move","from":"/a/b","path":"/c/d"}])", R"({"a":{},"c":{"d":1}})"},
      {R"({"a":[1,2,3]})", R"([{"op":"move","from":"/a/0","path":"/a/2"}])", R"({"a":[2,3,1]})"},
      {R"({"a":{"b":[1]}})", R"([{"op":"copy","from":"/a","path":"/c"}])", R"({"a":{"b":[1]},"c":{"b":[1]}})"},
      {R"({"a/b":1,"m~n":2})", R"([{"op":"remove","path":"/a~1b"},{"op":"test","path":"/m~0n","value":2.0}])",
       R"({"m~n":2})"},
      {R"({"":{"":1}})", R"([{"op":"test","path":"//","value":1}])", R"({"":{"":1}})"},
      {R"({"a":{"x":1,"y":[true]}})", R"([{"op":"test","path":"/a","value":{"y":[true],"x":1}}])",
       R"({"a":{"x":1,"y":[true]}})"},
      {R"({"a":{"x":[2,{"y":1}]}})", R"([{"op":"test","path":"","value":{"a":{"x":[2.0,{"y":1e0}]}}}])",
       R"({"a":{"x":[2,{"y":1}]}})"},
      {R"({"a":1.50})", R"([{"op":"add","path":"/b","value":12345678901234567890}])",
       R"({"a":1.5,"b":12345678901234567890})"},
  };

  for (const Row& row : rows) {
    INFO(row.operations);
    CHECK(text_or_error(json_patch(row.target, row.operations)) == row.result);
  }
}

TEST_CASE("the error of a JSON patch that cannot be applied names the operation") {
  struct Row {
    const char* operations;
    const char* error;
  };
  const Row rows[] = {
      {R"([{"op":"add","path":"/x/y","value":1}])", "operation 0 (add /x/y): the path does not exist"},
      {R"([{"op":"add","path":"/a/5","value":1}])", "operation 0 (add /a/5): the path does not exist"},
      {R"([{"op":"add","path":"/a/01","value":1}])", "operation 0 (add /a/01): the path does not exist"},
      {R"([{"op":"add","path":"/s/0","value":1}])", "operation 0 (add /s/0): the path does not exist"},
      {R"([{"op":"test","path":"/s","value":"s"},{"op":"remove","path":"/b"}])",
       "operation 1 (remove /b): the path does not exist"},
      {R"([{"op":"remove","path":""}])", "operation 0 (remove ): the whole value cannot be removed"},
      {R"([{"op":"remove","path":"/a/-"}])", "operation 0 (remove /a/-): the path does not exist"},
      {R"([{"op":"replace","path":"/b","value":1}])", "operation 0 (replace /b): the path does not exist"},
      {R"([{"op":"replace","path":"/b"}])", "operation 0 (replace /b): \"value\" is required"},
      {R"([{"op":"move","from":"/a","path":"/a/0"}])", "operation 0 (move /a/0): a value cannot be moved into itself"},
      {R"([{"op":"copy","from":"/b","path":"/c"}])", "operation 0 (copy /c): \"from\" does not exist"},
      {R"([{"op":"copy","path":"/c"}])", "operation 0 (copy /c): \"from\" is required"},
      {R"([{"op":"test","path":"/s","value":"t"}])", "operation 0 (test /s): the value differs"},
      {R"([{"op":"test","path":"/o","value":{"x":3,"y":2}}])", "operation 0 (test /o): the value differs"},
      {R"([{"op":"test","path":"/o","value":{"x":1,"y":3}}])", "operation 0 (test /o): the value differs"},
      {R"([{"op":"test","path":"/o","value":{"x":1.5,"y":2}}])", "operation 0 (test /o): the value differs"},
      {R"([{"op":"test","path":"/o","value":{"x":"1","y":2}}])", "operation 0 (test /o): the value differs"},
      {R"([{"op":"test","path":"/o","value":{"x":1,"z":2}}])", "operation 0 (test /o): the value differs"},
      {R"([{"op":"test","path":"/o","value":{"x":1}}])", "operation 0 (test /o): the value differs"},
      {R"([{"op":"test","path":"/e","value":[]}])", "operation 0 (test /e): the value differs"},
      {R"([{"op":"test","path":"/e","value":null}])", "operation 0 (test /e): the value differs"},
      {R"([{"op":"test","path":"/a","value":{}}])", "operation 0 (test /a): the value differs"},
      {R"([{"op":"test","path":"/a","value":[2]}])", "operation 0 (test /a): the value differs"},
      {R"([{"op":"test","path":"/a","value":[1,1]}])", "operation 0 (test /a): the value differs"},
      {R"([{"op":"jump","path":"/s"}])", "operation 0 (jump /s): unknown operation"},
      {R"([{"op":"add","path":"s","value":1}])", "operation 0 (add s): \"path\" is not a JSON pointer"},
      {R"([{"op":"add","path":"/~2","value":1}])", "operation 0 (add /~2): \"path\" is not a JSON pointer"},
      {R"([1])", "operation 0 (? ?): \"op\" and \"path\" are required"},
  };

  for (const Row& row : rows) {
    const auto patched = json_patch(R"({"a":[1],"s":"s","o":{"x":1,"y":2},"e":{}})", row.operations);
    REQUIRE_FALSE(patched);
    CHECK(patched.error().text == std::string("JSON patch: ") + row.error);
    const bool is_test = patched.error().text.ends_with("the value differs");
    CHECK(patched.error().kind == (is_test ? Error::Kind::kSuperseded : Error::Kind::kInvalid));
  }
  CHECK(json_patch("{}", "{}").error().kind == Error::Kind::kMalformed);
}

TEST_CASE("copies of copies, deep moves and very many operations are limited") {
  std::string doubling = R"([{"op":"add","path":"/a","value":"xxxxxxxxxxxxxxxx"})";
  std::string deepening = R"([{"op":"add","path":"/a","value":{}})";
  std::string path = "/a";
  for (int i = 0; i < 40; ++i) {
    doubling += R"(,{"op":"copy","from":"","path":"/c)" + std::to_string(i) + "\"}";
    deepening += R"(,{"op":"copy","from":"/a","path":")" + path + R"(/a"})";
    path += "/a";
  }
  std::string many = "[";
  for (std::size_t i = 0; i <= limits::kJsonPatchOperations; ++i) many += R"({"op":"test","path":"","value":{}},)";
  many.back() = ']';

  CHECK(text_or_error(json_patch("{}", doubling + "]")).find("the copies are too large") != std::string::npos);
  CHECK_FALSE(json_patch("{}", deepening + "]"));
  // 300,000 values in 600 KB.
  std::string small = R"([{"op":"add","path":"/a","value":[1)";
  for (int i = 0; i < 1000; ++i) small += ",1";
  small += "]}";
  for (int i = 0; i < 300; ++i) small += R"(,{"op":"copy","from":"/a","path":"/c)" + std::to_string(i) + "\"}";
  CHECK(text_or_error(json_patch("{}", small + "]")).find("the copies are too large") != std::string::npos);
  CHECK(text_or_error(json_patch("{}", many)) == "error: JSON patch: too many operations");
}

TEST_CASE("diff returns the patch from one value to another") {
  const char* const values[] = {"{}",
                                "[]",
                                "null",
                                "1",
                                R"({"a":1})",
                                R"({"a":{"b":[1,2,3]},"c/d":"~"})",
                                R"({"a":{"b":[1,4]},"c/d":{"e":null}})",
                                R"([1,[2],{"x":3}])",
                                R"([1,[2,5],{"y":3},4])"};

  for (const char* before : values) {
    for (const char* after : values) {
      const auto old = Document::parse(before);
      const auto wanted = Document::parse(after);
      const std::string operations = diff(old->root(), wanted->root());
      INFO(before << " to " << after << " by " << operations);
      const auto patched = json_patch(before, operations);
      REQUIRE(patched);
      CHECK(equal(Document::parse(*patched)->root(), wanted->root()));
      CHECK((operations == "[]") == equal(old->root(), wanted->root()));
    }
  }
}

}  // namespace
}  // namespace keelson::json
