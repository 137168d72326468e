#include "src/reference/field_rows.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <map>
#include <optional>

#include "keelson/schema/describe.hpp"

using namespace keelson;
using reference::FieldRow;

namespace {

struct Door {
  std::string color;
  std::optional<std::int32_t> width;
};

void describe(kube::Description& d, Door& door) {
  d.document("Door is where one goes in.");
  d.field("color", door.color, "Of the paint.").required().one_of({"Red", "Blue"}).default_value(R"("Red")");
  d.field("width", door.width, "In centimetres.").greater_than(0).maximum(200);
}

struct HouseSpec {
  std::vector<Door> doors;
  std::map<std::string, std::string> labels;
  std::string street;
  kube::RawJson port;
  kube::RawJson rest;
  std::optional<kube::Time> built;
};

void describe(kube::Description& d, HouseSpec& spec) {
  d.document("HouseSpec is a house.");
  d.rule("self.street != ''", "has to stand in a street");
  d.field("doors", spec.doors, "The doors.").list_map({"color"}).min_items(1);
  d.field("labels", spec.labels, "What is written on it.");
  d.field("street", spec.street, "Its street.").min_length(0).max_length(1).pattern("^a|b$");
  d.field("port", spec.port, "Where it listens.").int_or_string();
  d.field("rest", spec.rest, "Whatever else.");
  d.field("built", spec.built, "When it was built.").nullable();
}

std::vector<FieldRow> house_rows(const std::vector<reference::KnownType>& known = {}) {
  const auto schema = json::Document::parse(kube::schema_of<HouseSpec>());
  REQUIRE(schema);
  return reference::field_rows("spec", schema->root(), known);
}

FieldRow row_of(const std::vector<FieldRow>& rows, std::string_view path) {
  for (const FieldRow& row : rows) {
    if (row.path == path) return row;
  }
  FAIL("no row for " << path);
  return {};
}

std::vector<std::string> paths_of(const std::vector<FieldRow>& rows) {
  std::vector<std::string> paths;
  for (const FieldRow& row : rows) paths.push_back(row.path);
  return paths;
}

}  // namespace

TEST_CASE("a schema has a row for itself and for each field, those inside of a list included") {
  CHECK(paths_of(house_rows()) == std::vector<std::string>{"spec", "spec.built", "spec.doors", "spec.doors[].color",
                                                           "spec.doors[].width", "spec.labels", "spec.port",
                                                           "spec.rest", "spec.street"});
}

TEST_CASE("types are described in words") {
  const auto rows = house_rows();

  CHECK(row_of(rows, "spec").type == "object");
  CHECK(row_of(rows, "spec.doors").type == "list of object");
  CHECK(row_of(rows, "spec.doors[].width").type == "integer (int32)");
  CHECK(row_of(rows, "spec.labels").type == "map of string to string");
  CHECK(row_of(rows, "spec.port").type == "integer or string");
  CHECK(row_of(rows, "spec.rest").type == "any");
  CHECK(row_of(rows, "spec.built").type == "time");
}

TEST_CASE("limits are described in words, and a schema without limits has none") {
  const auto rows = house_rows();

  CHECK(row_of(rows, "spec").limits == "has to stand in a street");
  CHECK(row_of(rows, "spec.doors").limits == "at least 1 item; one for each `color`");
  CHECK(row_of(rows, "spec.doors[].color").limits == "required; one of `Red`, `Blue`");
  CHECK(row_of(rows, "spec.doors[].width").limits == "more than 0; at most 200");
  CHECK(row_of(rows, "spec.street").limits == "at most 1 character; matches `^a|b$`");
  CHECK(row_of(rows, "spec.built").limits == "may be null");
  CHECK(row_of(rows, "spec.labels").limits.empty());
}

TEST_CASE("rows have defaults and documentation") {
  const auto rows = house_rows();

  CHECK(row_of(rows, "spec.doors[].color").default_value == R"("Red")");
  CHECK(row_of(rows, "spec.doors[].width").default_value.empty());
  CHECK(row_of(rows, "spec.doors[].color").documentation == "Of the paint.");
  CHECK(row_of(rows, "spec").documentation == "HouseSpec is a house.");
}

TEST_CASE("a type that is documented elsewhere is a link without rows of its own") {
  const auto rows = house_rows({{"Door", "door.md", kube::schema_of<Door>()}});

  CHECK(row_of(rows, "spec.doors").type == "list of [Door](door.md)");
  for (const FieldRow& row : rows) CHECK(row.path.find("color") == std::string::npos);
}
