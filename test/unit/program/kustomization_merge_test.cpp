#include "src/program/commands/kustomization_merge.hpp"

#include <catch2/catch_test_macros.hpp>

namespace keelson::program {
namespace {

constexpr const char* kGenerated = "# The kinds.\nresources:\n- bases/a.yaml\n- bases/b.yaml\n";

std::string merged(std::string_view existing) {
  auto text = merge_kustomization(existing, kGenerated);
  REQUIRE(text);
  return *text;
}

TEST_CASE("a kustomization keeps the lines that a user added, and gets the missing entries") {
  CHECK(
      merged("# Ours.\nresources:\n- bases/a.yaml\n- mine.yaml  # by hand\n\nlabels:\n- pairs: {team: web}\n") ==
      "# Ours.\nresources:\n- bases/a.yaml\n- mine.yaml  # by hand\n- bases/b.yaml\n\nlabels:\n- pairs: {team: web}\n");
}

TEST_CASE("a kustomization that has every entry is unchanged, to the byte") {
  for (const std::string text :
       {"resources:\n- bases/b.yaml\n- bases/a.yaml", "resources: [bases/a.yaml]\n#- bases/a.yaml\n# - bases/b.yaml\n",
        "resources:\n  - \"bases/a.yaml\"\n  - 'bases/b.yaml' # why\n"}) {
    CHECK(merged(text) == text);
  }
}

TEST_CASE("an entry that is commented out is not added") {
  CHECK(merged("resources:\n- bases/a.yaml\n#- bases/b.yaml\n") == "resources:\n- bases/a.yaml\n#- bases/b.yaml\n");
}

TEST_CASE("new entries are indented as the existing ones") {
  CHECK(merged("resources:\n  - bases/a.yaml\npatches:\n  - path: x.yaml\n") ==
        "resources:\n  - bases/a.yaml\n  - bases/b.yaml\npatches:\n  - path: x.yaml\n");
}

TEST_CASE("a kustomization whose resources are absent or empty gets the list") {
  CHECK(merged("namePrefix: x-\n") == "namePrefix: x-\nresources:\n- bases/a.yaml\n- bases/b.yaml\n");
  CHECK(merged("resources: []\n") == "resources:\n- bases/a.yaml\n- bases/b.yaml\n");
  CHECK(merged("") == "resources:\n- bases/a.yaml\n- bases/b.yaml\n");
}

TEST_CASE("a list on one line is not edited: the error names what to add") {
  auto text = merge_kustomization("resources: [bases/a.yaml]\n", kGenerated);

  REQUIRE_FALSE(text);
  CHECK(text.error().text == "`resources` is written on one line: add bases/a.yaml, bases/b.yaml to it by hand");
}

}  // namespace
}  // namespace keelson::program
