#include "src/sandbox/storage/entry.hpp"

#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "keelson/detail/sandbox/limits.hpp"

namespace keelson::sandbox {
namespace {

constexpr const char* kJson =
    R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","uid":"u","managedFields":[{"manager":"m",)"
    R"("operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:k":{}}}}]},"data":{"k":"v"}})";

kube::Object object() {
  auto made = kube::Object::from_json(kJson);
  REQUIRE(made);
  return std::move(*made);
}

TEST_CASE("an entry parses its tree on demand, and again after it was dropped") {
  TreesInUse trees;
  std::vector<Entry> entries;
  entries.reserve(2 * limits::kSandboxTrees);
  for (std::size_t i = 0; i < 2 * limits::kSandboxTrees; ++i) entries.emplace_back(trees, object());
  const Tree* first = &entries[0].stored().tree;
  CHECK(first == &entries[0].stored().tree);
  for (const auto& entry : entries) {
    CHECK(entry.stored().tree.text_at({"data", "k"}) == "v");
    CHECK(entry.stored().tree.at({"metadata", "managedFields"}) == nullptr);
    CHECK(entry.stored().managers.size() == 1);
  }
  trees.trim();
  CHECK(entries.front().stored().tree.text_at({"metadata", "name"}) == "a");
  CHECK(entries.back().stored().tree.text_at({"metadata", "name"}) == "a");
}

TEST_CASE("an entry that is moved, copied or assigned leaves no pointers in the list of trees") {
  TreesInUse trees;
  std::vector<Entry> many;
  for (std::size_t i = 0; i < limits::kSandboxTrees; ++i) {
    many.emplace_back(trees, object());  // grows, and moves the existing entries
    static_cast<void>(many.back().stored());
  }
  {
    Entry moved(trees, object());
    static_cast<void>(moved.stored());
    Entry into = std::move(moved);
    CHECK(into.stored().managers.size() == 1);
    Entry copy = into;
    CHECK(copy.stored().managers.size() == 1);
    into = copy;
    CHECK(into.stored().managers.size() == 1);
    many.front() = into.rewritten(object(), Stored{Tree("another"), {}});
  }
  trees.trim();
  CHECK(many.back().stored().managers.size() == 1);
  many.erase(many.begin(), many.begin() + 10);
  trees.trim();
  CHECK(many.front().stored().managers.size() == 1);
}

}  // namespace
}  // namespace keelson::sandbox
