// allocations(): the number of calls of malloc, calloc and realloc in this executable. Include this file in one of its
// files only. It counts below operator new, because objects and trees use malloc directly. A sanitizer has its own
// allocator: nothing is counted.
#pragma once

#include <cstddef>
#include <cstdlib>

#include "test/support/sanitizers.hpp"

namespace keelson::testing {

constexpr bool kCountsAllocations = KEELSON_SANITIZED == 0;

namespace detail {
inline std::size_t allocations = 0;
}

inline std::size_t allocations() { return detail::allocations; }

}  // namespace keelson::testing

#if !KEELSON_SANITIZED
// The names are those of the C library, and only one file of an executable includes the definitions.
// NOLINTBEGIN(bugprone-reserved-identifier, misc-definitions-in-headers)
extern "C" {
void* __libc_malloc(std::size_t bytes);
void* __libc_realloc(void* block, std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);

void* malloc(std::size_t bytes) {
  ++keelson::testing::detail::allocations;
  return __libc_malloc(bytes);
}
void* calloc(std::size_t count, std::size_t bytes) {
  ++keelson::testing::detail::allocations;
  return __libc_calloc(count, bytes);
}
void* realloc(void* block, std::size_t bytes) {
  ++keelson::testing::detail::allocations;
  return __libc_realloc(block, bytes);
}
}
// NOLINTEND(bugprone-reserved-identifier, misc-definitions-in-headers)
#endif
