#include "src/profiling/stack_walk.hpp"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <vector>

namespace keelson::profiling {
namespace {

std::uintptr_t as_number(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

// Calls itself `depth` times, with the return addresses of all these calls, the innermost first.
[[gnu::noinline]] std::vector<std::uintptr_t> walk_below(int depth, std::vector<std::uintptr_t>& calls) {
  calls.insert(calls.begin(), as_number(__builtin_return_address(0)) - 1);
  if (depth > 0) {
    auto stack = walk_below(depth - 1, calls);
    asm volatile("");  // not a tail call
    return stack;
  }
  std::array<std::uintptr_t, limits::kStackFrames> frames{};
  const auto found = walk_stack(calls.front() + 1, frames);
  return {frames.begin(), frames.begin() + static_cast<std::ptrdiff_t>(found)};
}

TEST_CASE("a walk finds the calls of all functions on the stack, the innermost first") {
  std::vector<std::uintptr_t> calls;

  const auto stack = walk_below(20, calls);

  REQUIRE(stack.size() > calls.size());
  CHECK(std::vector(stack.begin(), stack.begin() + static_cast<std::ptrdiff_t>(calls.size())) == calls);
}

TEST_CASE("a walk of a deep stack ends when there is no more room") {
  std::vector<std::uintptr_t> calls;

  const auto stack = walk_below(1000, calls);

  CHECK(stack.size() == limits::kStackFrames);
  CHECK(std::equal(stack.begin(), stack.end(), calls.begin()));
}

TEST_CASE("a walk that does not find its first function has only that") {
  std::array<std::uintptr_t, 4> frames{};

  CHECK(walk_stack(17, frames) == 1);
  CHECK(frames[0] == 17);
}

}  // namespace
}  // namespace keelson::profiling
