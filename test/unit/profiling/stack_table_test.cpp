#include "src/profiling/stack_table.hpp"

#include <catch2/catch_test_macros.hpp>
#include <vector>

namespace keelson::profiling {
namespace {

using Stack = std::vector<std::uintptr_t>;

TEST_CASE("equal stacks share an entry, and stacks that differ in a frame or in depth do not") {
  StackTable table;

  auto* first = table.find_or_add(Stack{1, 2, 3});

  REQUIRE(first != nullptr);
  CHECK(table.find_or_add(Stack{1, 2, 3}) == first);
  CHECK(table.find_or_add(Stack{1, 2}) != first);
  CHECK(table.find_or_add(Stack{1, 2, 4}) != first);
  CHECK(table.entries().size() == 3);
  const auto stored = table.stack_of(*first);
  CHECK(Stack(stored.begin(), stored.end()) == Stack{1, 2, 3});
}

TEST_CASE("a full table of stacks finds the known ones and rejects others") {
  StackTable table;
  for (std::uintptr_t number = 0; number < limits::kProfileStacks; ++number) {
    REQUIRE(table.find_or_add(Stack{number}) != nullptr);
  }

  CHECK(table.find_or_add(Stack{limits::kProfileStacks}) == nullptr);
  CHECK(table.find_or_add(Stack{17}) == &table.entries()[17]);
}

TEST_CASE("a table without room for frames rejects a stack") {
  StackTable table;
  Stack deep(limits::kStackFrames);
  for (std::uintptr_t number = 0; number < limits::kProfileFrames / limits::kStackFrames; ++number) {
    deep[0] = number;
    REQUIRE(table.find_or_add(deep) != nullptr);
  }

  deep[0] = limits::kProfileFrames;
  CHECK(table.find_or_add(deep) == nullptr);
}

}  // namespace
}  // namespace keelson::profiling
