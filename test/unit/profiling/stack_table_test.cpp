#include "src/profiling/stack_table.hpp"

#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "src/profiling/stack_walk.hpp"

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

TEST_CASE("stacks without users make room, and the others keep their frames and values") {
  StackTable table;
  std::vector<StackTable::Entry*> users;
  for (std::uintptr_t number = 0; number < limits::kProfileStacks; ++number) {
    auto* entry = table.find_or_add(Stack(1 + number % 5, number));
    REQUIRE(entry != nullptr);
    entry->values[0] = 1;
    if (number % 4 == 0) {
      entry->users = 1;
      entry->values[0] = static_cast<double>(number);
      users.push_back(entry);
    }
  }

  table.plan_compaction();
  for (auto*& user : users) user = table.moved(user);
  StackTable::Values removed{};
  CHECK(table.compact(removed) == limits::kProfileStacks * 3 / 4);

  CHECK(removed[0] == limits::kProfileStacks * 3.0 / 4);
  CHECK(table.entries().size() == users.size());
  for (std::size_t place = 0; place < users.size(); ++place) {
    const auto number = std::uintptr_t{4} * place;
    REQUIRE(users[place]->values[0] == static_cast<double>(number));
    const auto stack = table.stack_of(*users[place]);
    REQUIRE(Stack(stack.begin(), stack.end()) == Stack(1 + number % 5, number));
    REQUIRE(table.find_or_add(stack) == users[place]);
  }
  for (std::uintptr_t number = 0; number < limits::kProfileStacks / 2; ++number) {
    REQUIRE(table.find_or_add(Stack{7, number}) != nullptr);
  }
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
