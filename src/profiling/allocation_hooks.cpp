// The allocation functions of a program that is linked with --wrap=malloc and so on: the linker replaces each call of
// malloc() by __wrap_malloc(), also those of libraries in the same static program, and __real_malloc() is the
// C library's.
#include <cstddef>
#include <cstdint>

#include "src/profiling/heap_sampler.hpp"

using keelson::profiling::heap_sampler;

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): the linker chooses these names
extern "C" {

// Weak: a program that is linked without the options, as under a sanitizer, does not have them, and calls none of the
// functions below.
__attribute__((weak)) void* __real_malloc(std::size_t bytes);
__attribute__((weak)) void* __real_calloc(std::size_t count, std::size_t bytes);
__attribute__((weak)) void* __real_realloc(void* block, std::size_t bytes);
__attribute__((weak)) void* __real_aligned_alloc(std::size_t alignment, std::size_t bytes);
__attribute__((weak)) int __real_posix_memalign(void** block, std::size_t alignment, std::size_t bytes);
__attribute__((weak)) void __real_free(void* block);

void* __wrap_malloc(std::size_t bytes) {
  auto* block = __real_malloc(bytes);
  if (heap_sampler != nullptr) [[unlikely]] {
    heap_sampler->allocated(block, bytes, __builtin_return_address(0));
  }
  return block;
}

void* __wrap_calloc(std::size_t count, std::size_t bytes) {
  auto* block = __real_calloc(count, bytes);
  if (heap_sampler != nullptr) [[unlikely]] {
    heap_sampler->allocated(block, count * bytes, __builtin_return_address(0));
  }
  return block;
}

void* __wrap_realloc(void* block, std::size_t bytes) {
  const auto former = reinterpret_cast<std::uintptr_t>(block);
  auto* changed = __real_realloc(block, bytes);
  // After a failure the former block is still in use.
  if (heap_sampler == nullptr || (changed == nullptr && bytes != 0)) return changed;
  heap_sampler->freed(former);
  heap_sampler->allocated(changed, bytes, __builtin_return_address(0));
  return changed;
}

void* __wrap_aligned_alloc(std::size_t alignment, std::size_t bytes) {
  auto* block = __real_aligned_alloc(alignment, bytes);
  if (heap_sampler != nullptr) [[unlikely]] {
    heap_sampler->allocated(block, bytes, __builtin_return_address(0));
  }
  return block;
}

int __wrap_posix_memalign(void** block, std::size_t alignment, std::size_t bytes) {
  const int failed = __real_posix_memalign(block, alignment, bytes);
  if (heap_sampler != nullptr && failed == 0) [[unlikely]] {
    heap_sampler->allocated(*block, bytes, __builtin_return_address(0));
  }
  return failed;
}

void __wrap_free(void* block) {
  if (heap_sampler != nullptr) [[unlikely]] {
    heap_sampler->freed(reinterpret_cast<std::uintptr_t>(block));
  }
  __real_free(block);
}
}

bool keelson::profiling::has_allocation_hooks() noexcept { return __real_malloc != nullptr; }
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
