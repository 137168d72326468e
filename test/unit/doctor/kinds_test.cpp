#include "src/doctor/kinds.hpp"

#include <catch2/catch_test_macros.hpp>

#include "test/unit/doctor/world.hpp"

namespace keelson::doctor {
namespace {

using Ids = std::vector<std::string>;

Findings findings_of(std::string definition) {
  Findings findings;
  check_kind(boats(), json::Document::parse(definition), findings);
  return findings;
}

// The live definition after one replacement.
std::string changed(const std::string& from, const std::string& to) {
  auto text = established(boats());
  const auto place = text.find(from);
  INFO(text);
  REQUIRE(place != std::string::npos);
  return text.replace(place, from.size(), to);
}

TEST_CASE("a definition of this version has no finding, whatever its descriptions") {
  CHECK(ids_of(findings_of(established(boats()))).empty());
  CHECK(ids_of(findings_of(changed("Crew.", "People."))).empty());
}

TEST_CASE("each difference of a definition is a finding") {
  struct Row {
    std::string from;
    std::string to;
    Ids ids;
  };
  const std::vector<Row> rows = {
      {R"("minimum":1)", R"("minimum":0)", {"crd-schema-differs"}},
      {R"("type":"Established","status":"True")", R"("type":"Established","status":"False")", {"crd-not-established"}},
      {R"("type":"NamesAccepted","status":"True")",
       R"("type":"NamesAccepted","status":"False")",
       {"crd-names-not-accepted"}},
      {R"("served":true)", R"("served":false)", {"crd-version-not-served"}},
      {R"("storage":true)", R"("storage":false)", {"crd-other-storage-version"}},
      {R"("storedVersions":["v1"])", R"("storedVersions":["v1alpha1","v1"])", {"crd-stored-versions"}},
      {R"("subresources":{"status":{}})", R"("subresources":{})", {"crd-status-missing"}},
      {R"("spec":{"group")", R"("spec":{"conversion":{"strategy":"Webhook"},"group")", {"crd-conversion-webhook"}},
      {R"("metadata":{)", R"("metadata":{"deletionTimestamp":"2026-01-01T00:00:00Z",)", {"crd-terminating"}},
  };
  for (const auto& [from, to, ids] : rows) {
    INFO(from);
    CHECK(ids_of(findings_of(changed(from, to))) == ids);
  }
}

TEST_CASE("a definition that is missing, unreadable or not a definition is a finding") {
  Findings missing;
  check_kind(boats(), status_error(404, "NotFound"), missing);
  CHECK(ids_of(missing) == Ids{"crd-missing"});
  CHECK(missing.all().front().subject == "customresourcedefinitions/boats.sea.example.com");
  Findings forbidden;
  check_kind(boats(), status_error(403, "Forbidden"), forbidden);
  CHECK(ids_of(forbidden) == Ids{"check-forbidden"});
  CHECK_FALSE(findings_of("{}").all().empty());
  CHECK_FALSE(findings_of("[]").all().empty());
}

TEST_CASE("the first difference of two schemas names its path and both values") {
  struct Row {
    const char* desired;
    const char* live;
    const char* difference;
  };
  const Row rows[] = {
      {R"({"a":1})", R"({"a":1.0})", ""},
      {R"({"a":null})", R"({})", ""},
      {R"({"a":{"b":1}})", R"({"a":{"b":2}})", "a.b: 2, not 1"},
      {R"({"a":1})", R"({})", "a: absent, not 1"},
      {R"({})", R"({"a":1})", "a: 1, not absent"},
      {R"({"a":[1,2]})", R"({"a":[1,3]})", "a[1]: 3, not 2"},
      {R"({"a":[1]})", R"({"a":[1,3]})", "a: [1,3], not [1]"},
      {R"({"description":"x"})", R"({"description":"y"})", ""},
      {R"({"description":"x"})", R"({})", ""},
      // Here it is the name of a field.
      {R"({"properties":{"description":{"type":"string"}}})", R"({"properties":{}})",
       R"(properties.description: absent, not {"type":"string"})"},
  };
  for (const auto& row : rows) {
    const auto desired = parsed(row.desired);
    const auto live = parsed(row.live);
    CHECK(first_difference(desired.root(), live.root()) == row.difference);
  }
}

}  // namespace
}  // namespace keelson::doctor
