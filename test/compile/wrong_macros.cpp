// Macros that are not in braces.

#include "keelson/base/task.hpp"
#include "keelson/base/try.hpp"

namespace {

using namespace keelson;

Result<void> write();
Task<int> ask();

// -Wdangling-else would be an error.
[[maybe_unused]] Task<int> propagate(bool is_new) {
  if (is_new) KEELSON_CO_TRY(write());
  if (is_new)
    KEELSON_CO_TRY(co_await ask());
  else
    KEELSON_CO_TRY(write());
  while (is_new) KEELSON_CO_TRY(write());
  if (is_new) {
    KEELSON_CO_LET(const auto right, co_await ask());
    co_return right;
  }
  // expect: KEELSON_LET_needs_braces
  if (is_new) KEELSON_CO_LET(const auto wrong, co_await ask());
  co_return 1;
}

}  // namespace
