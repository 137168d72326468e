// The names of fields in managedFields, and the managers that own a field.
#include <catch2/catch_test_macros.hpp>
#include <optional>
#include <string>
#include <vector>

#include "src/controller/child.hpp"

namespace keelson::controller {
namespace {

using Managers = std::vector<std::string>;

json::Document parse(const std::string& text) {
  auto document = json::Document::parse(text);
  REQUIRE(document);
  return std::move(*document);
}

std::optional<ManagedField> difference(const std::string& actual, const std::string& desired) {
  const auto left = parse(actual);
  const auto right = parse(desired);
  return first_difference(left.root(), right.root());
}

std::string text_of_difference(const std::string& actual, const std::string& desired) {
  const auto found = difference(actual, desired);
  return found ? found->text() : "(none)";
}

}  // namespace

TEST_CASE("the first difference is named by its path") {
  struct Row {
    const char* actual;
    const char* desired;
    const char* path;
  };
  const std::vector<Row> rows = {
      {R"({"a":1})", R"({"a":1})", "(none)"},
      {R"({"spec":{"replicas":3}})", R"({"spec":{"replicas":2}})", "spec.replicas"},
      {R"({"spec":{}})", R"({"spec":{"image":"a"}})", "spec.image"},
      {R"({"a":1,"b":1})", R"({"a":2,"b":2})", "a"},
      {R"({"containers":[{"name":"x","image":"1"},{"name":"web","image":"2"}]})",
       R"({"containers":[{"name":"web","image":"3"}]})", "containers[name=web].image"},
      {R"({"containers":[]})", R"({"containers":[{"name":"web","image":"3"}]})", "containers[name=web]"},
      {R"({"ports":[{"containerPort":80,"protocol":"TCP","name":"a"}]})",
       R"({"ports":[{"containerPort":80,"name":"b"}]})", "ports[containerPort=80,protocol=TCP].name"},
      {R"({"command":["a","b"]})", R"({"command":["a","c"]})", "command[1]"},
      {R"({"command":["a"]})", R"({"command":["a","c"]})", "command"},
      {R"({"annotations":{}})", R"({"annotations":{"example.com/x":"y"}})", R"(annotations["example.com/x"])"},
  };
  for (const auto& row : rows) {
    INFO(row.actual << " / " << row.desired);
    CHECK(text_of_difference(row.actual, row.desired) == row.path);
  }
}

TEST_CASE("the managers of a field are those whose entries contain it") {
  const auto image = difference(R"({"spec":{"containers":[{"name":"web","image":"2"}]}})",
                                R"({"spec":{"containers":[{"name":"web","image":"3"}]}})");
  REQUIRE(image);
  const auto managers = [&](const std::string& entries) {
    const auto document = parse(entries);
    return managers_of(document.root(), *image);
  };

  CHECK(managers(R"([{"manager":"kubectl","fieldsV1":{"f:spec":{"f:containers":{"k:{\"name\":\"web\"}":
      {".":{},"f:image":{}}}}}}])") == Managers{"kubectl"});
  CHECK(managers(R"([{"manager":"kubectl","fieldsV1":{"f:spec":{"f:containers":{"k:{\"name\":\"web\"}":
      {".":{},"f:name":{}}}}}}])") == Managers{});
  CHECK(managers(R"([{"manager":"a","fieldsV1":{"f:spec":{"f:replicas":{}}}}])") == Managers{});
  CHECK(managers(R"([{"manager":"a","fieldsV1":{}}])") == Managers{});
  CHECK(managers("null") == Managers{});
}

TEST_CASE("the manager of a whole list owns the fields of its items, and each manager is named once") {
  const auto image = difference(R"({"spec":{"containers":[{"name":"web","image":"2"}]}})",
                                R"({"spec":{"containers":[{"name":"web","image":"3"}]}})");
  REQUIRE(image);
  const auto entries = parse(R"([{"manager":"a","operation":"Apply","fieldsV1":{"f:spec":{"f:containers":{}}}},
      {"manager":"a","operation":"Update","fieldsV1":{"f:spec":{"f:containers":{}}}},
      {"manager":"b","fieldsV1":{"f:spec":{"f:containers":{}}}}])");

  CHECK(managers_of(entries.root(), *image) == Managers{"a", "b"});
}

}  // namespace keelson::controller
