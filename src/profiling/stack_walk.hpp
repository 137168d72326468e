// The functions on a stack, also in a signal handler.
//
// Decision: docs/decisions/0012-profiles-unwind-with-the-c++-runtime.md.
#pragma once

#include <ucontext.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace keelson::limits {

// Frames of a stack; the frames next to `main` are left out of a deeper one. Go stores 64 (runtime.maxCPUProfStack),
// but a coroutine of Asio has about 10 frames of Asio below each of its own.
inline constexpr std::size_t kStackFrames = 128;

}  // namespace keelson::limits

namespace keelson::profiling {

// The address of the instruction that a signal has interrupted.
[[nodiscard]] std::uintptr_t interrupted_address(const ucontext_t& context) noexcept;

// Writes the address of each function on the stack of this thread into `stack`, the innermost first, and returns their
// number. The first is the one at `innermost`: an address of interrupted code, or a return address, as
// __builtin_return_address(0) is. Functions that it called, such as this one, are left out. The address of a caller is
// one byte before its return address, and therefore within its call. The walk ends at the outermost function, when
// `stack` is full, or at code without unwind information.
[[nodiscard]] std::size_t walk_stack(std::uintptr_t innermost, std::span<std::uintptr_t> stack) noexcept;

// What the unwinder initializes at its first use, with a lock and with allocations. Call it before a signal or an
// allocation function walks a stack.
void prepare_walks() noexcept;

}  // namespace keelson::profiling
