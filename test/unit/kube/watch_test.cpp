#include "keelson/detail/kube/watch.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "keelson/kube/object.hpp"

namespace keelson::kube {
namespace {

using Type = WatchEvent::Type;

TEST_CASE("a line of a watch is split into its type and object") {
  struct Row {
    const char* line;
    Type type;
    const char* object;
  };
  const Row rows[] = {
      {R"({"type":"ADDED","object":{"a":1}})", Type::kAdded, R"({"a":1})"},
      {R"({"type":"MODIFIED","object":{}})", Type::kModified, "{}"},
      {R"({"type":"DELETED","object":{"a":"}"}})", Type::kDeleted, R"({"a":"}"})"},
      {R"({"type":"BOOKMARK","object":{"a":[{}]}})", Type::kBookmark, R"({"a":[{}]})"},
      {R"({"type":"ERROR","object":{"code":410}})", Type::kError, R"({"code":410})"},
      // Other servers may use another order, spaces and further members.
      {R"({"object":{"a":1},"type":"ADDED"})", Type::kAdded, R"({"a":1})"},
      {R"(  { "type" : "ADDED" , "object" : { "a" : 1 } }  )", Type::kAdded, R"({ "a" : 1 })"},
      {R"({"extra":[1,{"b":"]\""}],"n":-1.5e3,"type":"ADDED","t":true,"object":{"a":1}})", Type::kAdded, R"({"a":1})"},
      {R"({"object":{"a":"\\"},"x":null,"type":"DELETED"})", Type::kDeleted, R"({"a":"\\"})"},
      {"{\"type\":\"ADDED\",\"object\":{\"a\":1}}\r\n", Type::kAdded, R"({"a":1})"},
  };

  for (const auto& row : rows) {
    INFO(row.line);
    auto event = parse_watch_line(row.line);
    REQUIRE(event);
    CHECK(event->type == row.type);
    CHECK(event->object == row.object);
  }
}

TEST_CASE("invalid lines and unknown types are malformed") {
  const std::vector<std::string> lines = {
      "",
      "   ",
      "null",
      "[]",
      "ok",
      "{",
      "{}",
      R"({"type":"ADDED"})",
      R"({"object":{}})",
      R"({"type":"ADDED","object":null})",
      R"({"type":"ADDED","object":[]})",
      R"({"type":"ADDED","object":"{}"})",
      R"({"type":1,"object":{}})",
      R"({"type":"RENAMED","object":{}})",
      R"({"type":"added","object":{}})",
      R"({"type":"","object":{}})",
      R"({"type":"ADDED","object":{"a":1})",
      R"({"type":"ADDED","object":{}}x)",
      R"({"type":"ADDED" "object":{}})",
      R"({"type":"ADDED","object":{},})",
      R"({"type" "ADDED","object":{}})",
      R"({"type":"ADDED)",
      R"({"type":"ADDED","object":)",
      R"({"type":"ADDED","object":})",
      "{\"type\":\"ADDED\\",
  };

  for (const auto& line : lines) {
    INFO(line);
    auto event = parse_watch_line(line);
    REQUIRE_FALSE(event);
    CHECK(event.error().kind == Error::Kind::kMalformed);
  }
}

TEST_CASE("a line in the usual form is split without a scan, and an invalid object in it is rejected by its parser") {
  const std::vector<std::string> lines = {
      R"({"type":"ADDED","object":{"a":"1}})",
      R"({"type":"ADDED","object":{},"x":{}})",
      R"({"type":"ADDED","object":{"metadata":{"name":"a"}},"type":{}})",
      R"({"type":"ADDED","object":{"metadata":{"name":"a"}}}})",
      R"({"type":"ADDED","object":{"metadata":{"name":"a"}}{"metadata":{}}})",
  };

  for (const auto& line : lines) {
    INFO(line);
    auto event = parse_watch_line(line);
    if (event) CHECK_FALSE(Object::from_json(event->object));
  }
}

TEST_CASE("every truncated line is malformed") {
  const std::string line = R"({"type":"ADDED","object":{"metadata":{"name":"a","x":["]","}"]}}})";

  for (std::size_t size = 0; size < line.size() - 1; ++size) {
    auto event = parse_watch_line(line.substr(0, size));
    INFO(line.substr(0, size));
    // A prefix that ends in "}}" may look like an event; the reader of the object rejects its unbalanced brackets.
    if (event) CHECK(event->object != R"({"metadata":{"name":"a","x":["]","}"]}})");
  }
}

TEST_CASE("the error names the unknown type, up to a limit") {
  auto event = parse_watch_line(R"({"type":")" + std::string(10'000, 'x') + R"(","object":{}})");

  REQUIRE_FALSE(event);
  CHECK(event.error().text.size() < 200);
}

}  // namespace
}  // namespace keelson::kube
