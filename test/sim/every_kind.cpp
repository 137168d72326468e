#include "test/sim/every_kind.hpp"

#include <stdexcept>

#include "keelson/detail/controller/definition_parts.hpp"
#include "keelson/json/writer.hpp"
#include "src/kinds/built_in.hpp"
#include "test/support/sample_object.hpp"

namespace keelson::testing {

namespace {

// The next value of the first integer, or another value of the first enum.
std::string changed(const kube::Kind& kind, json::View spec) {
  const auto schema = json::Document::parse(kind.spec_schema).value();
  for (const auto& [name, value] : spec.members()) {
    const auto patch = "{" + json::quoted(name) + ":";
    if (const auto number = value.integer()) return patch + std::to_string(*number + 1) + "}";
    for (const auto other : schema.root().at({"properties", name, "enum"}).items()) {
      if (!json::equal(other, value)) return patch + other.text() + "}";
    }
  }
  throw std::runtime_error("the spec of the sample of " + kind.resource.kind + " needs an integer or an enum");
}

}  // namespace

std::vector<KindRow> every_kind() {
  std::vector<KindRow> rows;
  for (auto& definition : kinds::built_in()) {
    const auto sample = sample_object(definition);
    const auto spec = sample.root().find("spec");
    auto other_spec = changed(definition.parts().kinds.front(), spec);
    rows.push_back({std::move(definition), spec.text(), std::move(other_spec)});
  }
  return rows;
}

std::string object_of(const kube::Resource& resource, const std::string& spec) {
  return R"({"apiVersion":")" + resource.api_version() + R"(","kind":")" + resource.kind +
         R"(","metadata":{"name":"one","namespace":"default"},"spec":)" + spec + "}";
}

}  // namespace keelson::testing
