// Results that are not used, with the option that the installed package brings.

#include "keelson/base/result.hpp"
#include "keelson/base/task.hpp"

namespace {

using namespace keelson;

Result<void> write();
Task<int> ask();

[[maybe_unused]] Task<void> lose() {
  // expect: unused-result
  write();
  // expect: unused-result
  co_await ask();
  const auto answer = co_await ask();
  co_return answer ? Result<void>() : Result<void>(answer.error());
}

}  // namespace
