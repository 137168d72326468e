#include "src/profiling/stack_walk.hpp"

#include <unwind.h>

#include <array>

namespace keelson::profiling {

namespace {

struct Walk {
  std::uintptr_t innermost;
  std::span<std::uintptr_t> stack;
  std::size_t depth = 0;
};

_Unwind_Reason_Code visit(_Unwind_Context* context, void* argument) {
  auto& walk = *static_cast<Walk*>(argument);
  int is_interrupted = 0;
  const std::uintptr_t address = _Unwind_GetIPInfo(context, &is_interrupted);
  if (address == 0) return _URC_END_OF_STACK;
  if (walk.depth == 0 && address != walk.innermost) return _URC_NO_REASON;
  if (walk.depth == walk.stack.size()) return _URC_END_OF_STACK;
  walk.stack[walk.depth++] = is_interrupted != 0 ? address : address - 1;
  return _URC_NO_REASON;
}

}  // namespace

std::uintptr_t interrupted_address(const ucontext_t& context) noexcept {
#if defined(__x86_64__)
  return static_cast<std::uintptr_t>(context.uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return context.uc_mcontext.pc;
#else
#error "profiles need the name of this processor's instruction pointer"
#endif
}

std::size_t walk_stack(std::uintptr_t innermost, std::span<std::uintptr_t> stack) noexcept {
  if (stack.empty()) return 0;
  Walk walk{innermost, stack};
  _Unwind_Backtrace(visit, &walk);
  if (walk.depth == 0) stack[walk.depth++] = innermost;
  return walk.depth;
}

void prepare_walks() noexcept {
  std::array<std::uintptr_t, 1> stack{};
  static_cast<void>(walk_stack(0, stack));
}

}  // namespace keelson::profiling
