// The assertions of libstdc++, which are reported as ours are; the release compiles this header before each file of a
// room.
//
// libstdc++ would store the signature of each function with an assertion: 100 KB of the binary. assertion_failed()
// prints the address of the code instead, which is more exact, because it also names the function that passed the wrong
// index.
#pragma once

#include <cstddef>

#include "keelson/detail/base/assert.hpp"

// Libraries that define this macro differently keep their own text.
#ifdef __glibcxx_assert_impl
#undef __glibcxx_assert_impl
#define __glibcxx_assert_impl(condition)                               \
  if (__builtin_expect(!bool(condition), false)) {                     \
    __glibcxx_constexpr_assert(false);                                 \
    ::keelson::base::assertion_failed(#condition, __FILE__, __LINE__); \
  }
#endif
