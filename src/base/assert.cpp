#include "keelson/detail/base/assert.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>

// The linker defines it: the first byte of the binary.
extern "C" const char __ehdr_start[];

namespace keelson::base {

// The address is relative to the start of the binary: `addr2line -Cfie BINARY 0xADDRESS` prints the function, if the
// binary is not stripped.
[[gnu::noinline]] void assertion_failed(const char* condition, const char* file, int line) {
  // The return address is that of the instruction after the call.
  const auto address = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)) - 1;
  std::fprintf(stderr, "%s:%d: assertion failed: %s (called from 0x%zx)\n", file, line, condition,
               static_cast<std::size_t>(address - reinterpret_cast<std::uintptr_t>(__ehdr_start)));
  std::abort();
}

}  // namespace keelson::base
