// operator new and delete by malloc() and free() of this program, so that heap profiles see them also where the C++
// library is shared: its own operators would call the C library directly. The library's forms for arrays, with a size
// and without exceptions call these.
//
// Nothing else is in this file: a program with operators of its own does not link it.
#include <cstdlib>
#include <new>

void* operator new(std::size_t bytes) {
  for (;;) {
    if (auto* block = std::malloc(bytes == 0 ? 1 : bytes)) return block;
    const auto handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();  // frees memory, or throws
  }
}

void operator delete(void* block) noexcept { std::free(block); }
