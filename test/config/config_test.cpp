// config/ of the source tree against the output of the generator.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <sstream>
#include <string>

#include "keelson/detail/json/yaml.hpp"
#include "src/kinds/built_in.hpp"
#include "src/program/commands/generate.hpp"
#include "test/support/files.hpp"

namespace {

using namespace keelson;
using testing::content_of;

const std::filesystem::path kConfig = std::filesystem::path(KEELSON_SOURCE_DIR) / "config";

std::vector<program::GeneratedFile> generated() {
  auto files = program::generate("all", kinds::built_in());
  REQUIRE(files);
  return std::move(*files);
}

// "line 7: expected `x`, found `y`", or empty if the texts are equal.
std::string first_difference(const std::string& expected, const std::string& found) {
  if (expected == found) return {};
  std::istringstream left(expected);
  std::istringstream right(found);
  std::string wanted;
  std::string there;
  for (int line = 1;; ++line) {
    const bool more = static_cast<bool>(std::getline(left, wanted));
    const bool has_line = static_cast<bool>(std::getline(right, there));
    if (!more && !has_line) return "the end of the file";
    if (more && has_line && wanted == there) continue;
    return "line " + std::to_string(line) + ": expected `" + (more ? wanted : "<end>") + "`, found `" +
           (has_line ? there : "<end>") + "`";
  }
}

}  // namespace

TEST_CASE("C27: config/ equals the output of `manager generate all --output config`") {
  for (const program::GeneratedFile& file : generated()) {
    const std::string difference = first_difference(file.content, content_of(kConfig / file.path));
    INFO("config/" << file.path << ", " << difference);
    CHECK(difference.empty());
  }
}

TEST_CASE("config/ has no definition or sample of a kind that does not exist") {
  const auto files = generated();
  for (const char* folder : {"crd/bases", "samples"}) {
    for (const auto& entry : std::filesystem::directory_iterator(kConfig / folder)) {
      const std::string path = std::string(folder) + "/" + entry.path().filename().string();
      const auto is_it = [&](const auto& file) { return file.path == path; };
      INFO("config/" << path << " is not generated any more");
      CHECK(std::ranges::any_of(files, is_it));
    }
  }
}

TEST_CASE("B15: each CRD fits into kubectl's last-applied annotation") {
  for (const program::GeneratedFile& file : generated()) {
    if (!file.path.starts_with("crd/bases/")) continue;
    auto json = json::yaml_to_json(file.content);
    INFO(file.path);
    REQUIRE(json);
    CHECK(json->size() < 262'144);
  }
}

TEST_CASE("the first difference of two texts is named") {
  CHECK(first_difference("a\nb\n", "a\nb\n").empty());
  CHECK(first_difference("a\nb\n", "a\nc\n") == "line 2: expected `b`, found `c`");
  CHECK(first_difference("a\nb\n", "a\n") == "line 2: expected `b`, found `<end>`");
  CHECK(first_difference("a\n", "a") == "the end of the file");
}

// Without the flag the level would be debug, as by --zap-devel.
TEST_CASE("the deployed manager logs at level info") {
  for (const auto* file : {"config/manager/manager.yaml", "deploy/install.yaml"}) {
    INFO(file);
    const auto text = content_of(std::filesystem::path(KEELSON_SOURCE_DIR) / file);
    CHECK(text.find("- --zap-log-level=info\n") != std::string::npos);
  }
}
