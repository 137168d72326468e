// Coroutines and functions that may end without a value, with the option that the installed package brings.

#include "keelson/base/result.hpp"
#include "keelson/base/task.hpp"

namespace {

using namespace keelson;

Task<int> ask();

[[maybe_unused]] Task<void> forget() {
  const auto answer = co_await ask();
  static_cast<void>(answer);
  // expect: return-type
}

[[maybe_unused]] Task<void> forget_sometimes(bool is_new) {
  if (is_new) co_return Result<void>();
  // expect: return-type
}

[[maybe_unused]] Result<void> forget_to_return(bool is_new) {
  if (is_new) return {};
  // expect: return-type
}

}  // namespace
