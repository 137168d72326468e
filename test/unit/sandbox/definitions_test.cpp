#include "src/sandbox/fields/definitions.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <iterator>

#include "src/sandbox/kinds/served_kind.hpp"

namespace keelson::sandbox {
namespace {

std::string data_file(const std::string& name) {
  std::ifstream file(KEELSON_SOURCE_DIR "/src/sandbox/fields/data/" + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_CASE("the definitions in the binary equal those of the files") {
  const auto expected = data_file("schemas.txt") + data_file("messages.txt");

  std::string text;
  REQUIRE(
      std::ranges::is_sorted(definitions(), [](const auto& one, const auto& other) { return one.name < other.name; }));
  for (const auto& one : definitions()) text += std::string(one.name) + " " + std::string(one.json) + "\n";

  CHECK(text == expected);
}

TEST_CASE("every built-in kind has a definition, and so have all definitions that it refers to") {
  const Kinds kinds;

  for (const auto& kind : kinds.all()) {
    const auto& resource = kind.resource;
    INFO(resource.kind);
    CHECK(find_definition(definition_name(resource.group, resource.version, resource.kind)) != nullptr);
  }
  for (const auto& one : definitions()) {
    for (auto name : one.references) CHECK(find_definition(name) != nullptr);
  }
}

TEST_CASE("a definition is JSON and lists each of its references once") {
  const auto* found = find_definition("io.k8s.api.apps.v1.DeploymentSpec");

  REQUIRE(found != nullptr);
  const auto json = Tree::parse(found->json);
  REQUIRE(json.has_value());
  CHECK(json->text_at({"properties", "replicas", "format"}) == "int32");
  CHECK(std::ranges::count(found->references, "io.k8s.api.core.v1.PodTemplateSpec") == 1);
  CHECK(find_definition("io.k8s.api.apps.v1.DeploymentSpecs") == nullptr);
}

}  // namespace
}  // namespace keelson::sandbox
