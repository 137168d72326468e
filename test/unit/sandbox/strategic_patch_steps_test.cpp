// The work of a strategic merge patch, which kubectl sends, grows with the lists, not faster.
#include <catch2/catch_test_macros.hpp>

#include "src/sandbox/fields/strategic_patch.hpp"
#include "test/support/count_steps.hpp"
#include "test/unit/sandbox/talk.hpp"

namespace keelson::sandbox {
namespace {

using ItemOf = std::function<std::string(std::size_t)>;

std::string list_of(std::size_t count, bool is_reversed, const ItemOf& item) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += (i == 0 ? "" : ",") + item(is_reversed ? count - 1 - i : i);
  return "[" + text + "]";
}

void check_patch(const std::string& before, const ItemOf& item, const std::string& after) {
  static const Kinds kinds;
  const auto& deployments = *kinds.find(kube::deployments());
  const auto prepare = [&](std::size_t count) -> std::function<void()> {
    auto live = Tree::parse(before + list_of(count, false, item) + after);
    auto patch = Tree::parse(before + list_of(count, true, item) + after);
    REQUIRE(live);
    REQUIRE(patch);
    return [live = *live, patch = *patch, &deployments] { CHECK(strategic_merge_patch(live, patch, deployments)); };
  };
  testing::check_linear(before, 1'000, prepare);
}

TEST_CASE("a strategic merge patch of a list takes steps in proportion to its length") {
  const auto named = [](std::size_t i) { return R"({"name":"E)" + std::to_string(i) + "\"}"; };
  const std::string containers = R"({"spec":{"template":{"spec":{"containers":[{"name":"c","env":)";
  check_patch(containers, named, "}]}}}}");
  const auto removed = [](std::size_t i) { return R"({"$patch":"delete","name":"E)" + std::to_string(i) + "\"}"; };
  check_patch(containers, removed, "}]}}}}");
  check_patch(R"({"metadata":{"finalizers":)", [](std::size_t i) { return "\"e/f" + std::to_string(i) + '"'; }, "}}");
}

}  // namespace
}  // namespace keelson::sandbox
