#include "keelson/detail/schema/box.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <utility>

#include "keelson/detail/schema/struct_table.hpp"

namespace keelson::kube {
namespace {

// Longer than the internal buffer of a std::string, so that the sanitizers find a shallow copy.
const std::string kLong = "a text that does not fit into the string object itself";

struct Leaf {
  std::string text;
  std::map<std::string, std::string> labels;

  static const StructTable kFields;
  bool operator==(const Leaf&) const = default;
};
constexpr StructTable::Field kLeafFields[] = {
    KEELSON_TABLE_FIELD(Leaf, text, "text", kOptional),
    KEELSON_TABLE_FIELD(Leaf, labels, "labels", kOptional),
};
const StructTable Leaf::kFields(kLeafFields);

struct Tree {
  std::optional<std::int32_t> age;
  Box<Leaf> first;
  ListOf<Leaf> leaves;
  ListOf<Tree> branches;

  static const StructTable kFields;
  bool operator==(const Tree&) const = default;
};
constexpr StructTable::Field kTreeFields[] = {
    KEELSON_TABLE_FIELD(Tree, age, "age", kOptional),
    KEELSON_TABLE_FIELD(Tree, first, "first", kOptional),
    KEELSON_TABLE_FIELD(Tree, leaves, "leaves", kOptional),
    KEELSON_TABLE_FIELD(Tree, branches, "branches", kOptional),
};
const StructTable Tree::kFields(kTreeFields);

Tree grown() {
  return {.age = 7,
          .first = {{.text = kLong}},
          .leaves = {{.text = kLong, .labels = {{kLong, kLong}}}, {}},
          .branches = {{.age = 3, .leaves = {{.text = kLong}}}}};
}

TEST_CASE("a copy of a struct is deep") {
  const auto original = grown();
  auto copy = original;
  CHECK(copy == original);

  copy.first->text = "changed";
  copy.leaves[0].labels.clear();
  copy.branches[0].leaves[0].text = "changed";

  CHECK(original == grown());
}

TEST_CASE("a copy outlives its original") {
  Box<Tree> copy;
  {
    const Box<Tree> original(grown());
    copy = original;
  }
  CHECK(*copy == grown());
}

TEST_CASE("a moved-from Box or list is empty") {
  auto original = grown();

  const auto moved = std::move(original);

  CHECK(moved == grown());
  CHECK_FALSE(original.first);       // NOLINT(bugprone-use-after-move)
  CHECK(original.branches.empty());  // NOLINT(bugprone-use-after-move)
}

TEST_CASE("a Box has a struct or is empty") {
  Box<Leaf> box;
  CHECK_FALSE(box);

  box.emplace().text = kLong;
  CHECK(box->text == kLong);
  box = {{.text = "other"}};
  CHECK((*box).text == "other");

  box.reset();
  CHECK(box == Box<Leaf>());
}

TEST_CASE("references to the structs of a list stay valid while others are added") {
  ListOf<Leaf> list;
  auto& first = list.push_back({.text = kLong});
  for (int i = 0; i < 100; ++i) list.push_back({.text = std::to_string(i)});

  CHECK(&first == &list.front());
  CHECK(first.text == kLong);
  CHECK(list.back().text == "99");
}

TEST_CASE("a list is iterated in order") {
  ListOf<Leaf> list{{.text = "a"}, {.text = "b"}};
  for (auto& leaf : list) leaf.text += "!";

  std::string all;
  for (const auto& leaf : std::as_const(list)) all += leaf.text;

  CHECK(all == "a!b!");
  list.clear();
  CHECK(list.empty());
}

}  // namespace
}  // namespace keelson::kube
