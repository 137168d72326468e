// The bytes in use by this executable, counted below operator new, because objects and trees use malloc directly.
// Include this file in one of its files only. A sanitizer has its own allocator: nothing is counted.
#pragma once

#include <malloc.h>

#include <algorithm>
#include <cstddef>

#include "test/support/sanitizers.hpp"

namespace keelson::testing {

constexpr bool kCountsBytes = KEELSON_SANITIZED == 0;

namespace detail {
inline std::size_t bytes_in_use = 0;
inline std::size_t most_bytes_in_use = 0;

inline void* count_block(void* block) {
  if (block != nullptr) bytes_in_use += ::malloc_usable_size(block);
  most_bytes_in_use = std::max(most_bytes_in_use, bytes_in_use);
  return block;
}
inline void discount_block(void* block) {
  if (block != nullptr) bytes_in_use -= ::malloc_usable_size(block);
}
}  // namespace detail

// Its peak since the construction of this object, of which there is one at a time.
class PeakBytes {
 public:
  PeakBytes() : before_(detail::bytes_in_use) { detail::most_bytes_in_use = before_; }
  // How many bytes more than at the construction.
  [[nodiscard]] std::size_t bytes() const { return detail::most_bytes_in_use - before_; }

 private:
  std::size_t before_;
};

}  // namespace keelson::testing

#if !KEELSON_SANITIZED
// The names are those of the C library, and only one file of an executable includes the definitions.
// NOLINTBEGIN(bugprone-reserved-identifier, misc-definitions-in-headers)
extern "C" {
void* __libc_malloc(std::size_t bytes);
void* __libc_realloc(void* block, std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void __libc_free(void* block);

void* malloc(std::size_t bytes) { return keelson::testing::detail::count_block(__libc_malloc(bytes)); }
void* calloc(std::size_t count, std::size_t bytes) {
  return keelson::testing::detail::count_block(__libc_calloc(count, bytes));
}
void* realloc(void* block, std::size_t bytes) {
  keelson::testing::detail::discount_block(block);
  return keelson::testing::detail::count_block(__libc_realloc(block, bytes));
}
void free(void* block) {
  keelson::testing::detail::discount_block(block);
  __libc_free(block);
}
}
// NOLINTEND(bugprone-reserved-identifier, misc-definitions-in-headers)
#endif
