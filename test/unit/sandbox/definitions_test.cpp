#include "src/sandbox/fields/definitions.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <sstream>

#include "src/sandbox/kinds/served_kind.hpp"
#include "test/support/files.hpp"

namespace keelson::sandbox {
namespace {

std::string data_file(const std::string& name) {
  return testing::content_of(KEELSON_SOURCE_DIR "/src/sandbox/fields/data/" + name);
}

TEST_CASE("the definitions in the binary equal those of the files") {
  // A definition is a line, so the lines of the rules end with the byte 1.
  auto rules = testing::content_of(KEELSON_SOURCE_DIR "/src/sandbox/validation/data/rules.txt");
  std::ranges::replace(rules, '\n', '\x01');
  const auto expected = data_file("defaults.txt") + data_file("forms.txt") + data_file("internal.txt") +
                        data_file("schemas.txt") + data_file("messages.txt") + "validation.rules " + rules + "\n";

  std::string text;
  REQUIRE(
      std::ranges::is_sorted(definitions(), [](const auto& one, const auto& other) { return one.name < other.name; }));
  for (const auto& one : definitions()) text += std::string(one.name) + " " + std::string(one.json) + "\n";

  CHECK(text == expected);
}

TEST_CASE("a described definition has all of its descriptions, each in its place") {
  std::istringstream lines(data_file("descriptions.txt"));
  for (std::string name, texts; lines >> name && std::getline(lines.ignore(), texts);) {
    INFO(name);
    const auto* found = find_definition(name);
    REQUIRE(found != nullptr);
    const auto tabs = static_cast<std::size_t>(std::ranges::count(texts, '\t'));
    CHECK(found->described().size() == found->json.size() + texts.size() - tabs);
  }
  const auto deployment = Tree::parse(find_definition("io.k8s.api.apps.v1.DeploymentSpec")->described());

  CHECK(deployment->text_at({"description"}) ==
        "DeploymentSpec is the specification of the desired behavior of the Deployment.");
  CHECK(deployment->text_at({"properties", "template", "description"}).starts_with("Template describes the pods"));
  CHECK(deployment->text_at({"properties", "paused", "description"}) == "Indicates that the deployment is paused.");
}

TEST_CASE("every built-in kind has a definition, and so have all definitions that it refers to") {
  const Kinds kinds;

  for (const auto& kind : kinds.all()) {
    const auto& resource = kind.resource;
    INFO(resource.kind);
    CHECK(find_definition(definition_name(resource.group, resource.version, resource.kind)) != nullptr);
  }
  for (const auto& one : definitions()) {
    for (auto name : one.references()) CHECK(find_definition(name) != nullptr);
  }
}

TEST_CASE("a definition is JSON and lists each of its references once") {
  const auto* found = find_definition("io.k8s.api.apps.v1.DeploymentSpec");

  REQUIRE(found != nullptr);
  const auto json = Tree::parse(found->json);
  REQUIRE(json.has_value());
  CHECK(json->text_at({"properties", "replicas", "format"}) == "int32");
  CHECK(std::ranges::count(found->references(), "io.k8s.api.core.v1.PodTemplateSpec") == 1);
  CHECK(find_definition("io.k8s.api.apps.v1.DeploymentSpecs") == nullptr);
}

}  // namespace
}  // namespace keelson::sandbox
