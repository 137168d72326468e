// The work of a Tree grows with its members, not faster, whatever their names are.
#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <string>
#include <vector>

#include "keelson/detail/json/patch.hpp"
#include "keelson/detail/json/tree.hpp"
#include "test/support/count_steps.hpp"
#include "test/support/equal_hashes.hpp"

namespace keelson::json {
namespace {

constexpr std::size_t kNames = 400;

// The values are long, so that parsing them takes more steps than sorting the names.
std::string object_of(const std::vector<std::string>& names) {
  const std::string value = "\":\"" + std::string(100, 'v') + "\"";
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "{\"" : ",\"") + name + value;
  return text + "}";
}

TEST_CASE(
    "members whose names have one std::hash are parsed, compared and erased in steps that grow with their number") {
  testing::check_linear("members of one hash", kNames, [](std::size_t count) -> std::function<void()> {
    auto names = testing::texts_of_equal_hash(count);
    return [names, text = object_of(names)] {
      auto tree = Tree::parse(text);
      REQUIRE(tree);
      CHECK(*tree == *Tree::parse(text));
      for (const auto& name : names) tree->erase(name);
      CHECK(tree->members().empty());
    };
  });
}

TEST_CASE("a merge patch of members whose names have one std::hash takes steps in proportion to their number") {
  testing::check_linear("patch of one hash", kNames, [](std::size_t count) -> std::function<void()> {
    return [text = object_of(testing::texts_of_equal_hash(count))] { CHECK(merge_patch(text, text)); };
  });
}

}  // namespace
}  // namespace keelson::json
