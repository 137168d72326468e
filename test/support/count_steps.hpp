// Counts the steps of work, to test that it does not grow faster than its input, without a clock: comparisons in code
// of the rooms, compared bytes and allocated bytes. Include this file in one of the files of an executable only.
//
// Preset asan instruments the rooms for its fuzz targets: each comparison of integers calls one of the functions below.
// Elsewhere nothing is counted.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "test/support/sanitizers.hpp"

namespace keelson::testing {

#if defined(__clang__)
constexpr bool kCountsSteps = KEELSON_SANITIZED == 1;
#else
constexpr bool kCountsSteps = false;
#endif

namespace detail {
inline std::uint64_t steps = 0;
}

// Runs the part of a test whose work is measured; what prepares it is not counted.
inline std::uint64_t steps_of(const std::function<void()>& work) {
  const auto before = detail::steps;
  work();
  return detail::steps - before;
}

// `prepare(n)` makes an input of size n and returns the work on it. Ten times the input may cost twelve times the work:
// n log n is allowed, n^1.1 is not.
inline void check_linear(const std::string& what, std::size_t size,
                         const std::function<std::function<void()>(std::size_t size)>& prepare) {
  const auto small = steps_of(prepare(size));
  const auto large = steps_of(prepare(10 * size));
  INFO(what << ": " << small << " steps for " << size << ", " << large << " for ten times as many");
  if (!kCountsSteps) return;
  CHECK(small >= size);  // the work is counted
  CHECK(large <= 12 * small);
}

}  // namespace keelson::testing

#if KEELSON_SANITIZED && defined(__clang__)
// The names are those of the sanitizers' interface.
// NOLINTBEGIN(bugprone-reserved-identifier, misc-definitions-in-headers)
extern "C" {
#define KEELSON_COUNT_COMPARISONS(bytes, type)                                             \
  void __sanitizer_cov_trace_cmp##bytes(type, type) { ++keelson::testing::detail::steps; } \
  void __sanitizer_cov_trace_const_cmp##bytes(type, type) { ++keelson::testing::detail::steps; }
KEELSON_COUNT_COMPARISONS(1, std::uint8_t)
KEELSON_COUNT_COMPARISONS(2, std::uint16_t)
KEELSON_COUNT_COMPARISONS(4, std::uint32_t)
KEELSON_COUNT_COMPARISONS(8, std::uint64_t)
#undef KEELSON_COUNT_COMPARISONS

constexpr std::size_t kBytesOfStep = 16;

void __sanitizer_weak_hook_memcmp(void*, const void*, const void*, std::size_t bytes, int) {
  keelson::testing::detail::steps += 1 + bytes / kBytesOfStep;
}

void __sanitizer_malloc_hook(const volatile void*, std::size_t bytes) {
  keelson::testing::detail::steps += 1 + bytes / kBytesOfStep;
}
}
// NOLINTEND(bugprone-reserved-identifier, misc-definitions-in-headers)
#endif
