// The operators of allocation_operators.cpp for types with a large alignment: a program may replace only one of the two
// pairs.
#include <cstdlib>
#include <new>

void* operator new(std::size_t bytes, std::align_val_t alignment) {
  const auto multiple = static_cast<std::size_t>(alignment);
  for (;;) {
    if (auto* block = std::aligned_alloc(multiple, (bytes + multiple - 1) & ~(multiple - 1))) return block;
    const auto handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();  // frees memory, or throws
  }
}

void operator delete(void* block, std::align_val_t) noexcept { std::free(block); }
