#include "keelson/detail/schema/sample.hpp"

#include <catch2/catch_test_macros.hpp>

namespace keelson::kube {
namespace {

std::optional<std::string> sample_with(const std::string& spec_schema) {
  Kind kind;
  kind.resource = {"web.example.com", "v1", "Site", "sites"};
  kind.spec_schema = spec_schema;
  return sample_of(kind);
}

std::optional<std::string> sample_of_field(const std::string& field_schema) {
  return sample_with(R"({"type":"object","required":["a"],"properties":{"a":)" + field_schema + "}}");
}

constexpr const char* kHead = "apiVersion: web.example.com/v1\nkind: Site\nmetadata:\n  name: site-sample\n";

TEST_CASE("a sample has the required fields, each with a value that the schema allows") {
  struct Row {
    std::string schema, value;
  };
  const std::vector<Row> table{
      {R"({"type":"string"})", "  a: example\n"},
      {R"({"type":"string","example":"hello"})", "  a: hello\n"},
      {R"({"type":"string","enum":["Allow","Forbid"]})", "  a: Allow\n"},
      {R"({"type":"string","minLength":9})", "  a: examplexx\n"},
      {R"({"type":"string","maxLength":2})", "  a: ex\n"},
      {R"({"type":"integer","default":7})", "  a: 7\n"},
      {R"({"type":"integer","format":"int32"})", "  a: 1\n"},
      {R"({"type":"integer","minimum":5,"exclusiveMinimum":true})", "  a: 6\n"},
      {R"({"type":"integer","maximum":0})", "  a: 0\n"},
      {R"({"type":"integer","minimum":1.2})", "  a: 2\n"},
      {R"({"type":"boolean"})", "  a: false\n"},
      {R"({"type":"array","items":{"type":"string"}})", "  a: []\n"},
      {R"({"type":"array","minItems":2,"items":{"type":"integer"}})", "  a:\n  - 1\n  - 1\n"},
      {R"({"type":"object","required":["b"],"properties":{"b":{"type":"integer"},"c":{"type":"integer"}}})",
       "  a:\n    b: 1\n"},
      {R"({"type":"object","minProperties":1,"additionalProperties":{"type":"string"}})", "  a:\n    key-1: example\n"},
  };
  for (const auto& row : table) {
    INFO(row.schema);
    CHECK(sample_of_field(row.schema).value_or("none") == kHead + std::string("spec:\n") + row.value);
  }
}

TEST_CASE("a kind without required fields has an empty spec in its sample") {
  CHECK(sample_with(R"({"type":"object","properties":{"a":{"type":"string"}}})") == kHead + std::string("spec: {}\n"));
}

TEST_CASE("a kind has no sample if its values do not follow from its schema") {
  for (const auto* schema :
       {R"({"type":"string","pattern":"^[a-z]+$"})", R"({"type":"string","format":"date-time"})",
        R"({"type":"object","x-kubernetes-validations":[{"rule":"self.b"}]})",
        R"({"type":"array","minItems":2,"x-kubernetes-list-type":"set","items":{"type":"string"}})",
        R"({"type":"number","minimum":0.8,"exclusiveMinimum":true,"maximum":1,"exclusiveMaximum":true})",
        R"({"type":"array","minItems":1000000000,"items":{"type":"integer"}})", R"({"type":"string","minLength":101})",
        R"({"x-kubernetes-int-or-string":true})"}) {
    INFO(schema);
    CHECK_FALSE(sample_of_field(schema));
  }
}

}  // namespace
}  // namespace keelson::kube
