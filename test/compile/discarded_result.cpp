// Results that are not used, with the option that the installed package brings.
#include <boost/asio/awaitable.hpp>

#include "keelson/base/result.hpp"

namespace {

using namespace keelson;

Result<void> write();
boost::asio::awaitable<Result<int>> ask();

[[maybe_unused]] boost::asio::awaitable<Result<void>> lose() {
  // expect: unused-result
  write();
  // expect: unused-result
  co_await ask();
  const auto answer = co_await ask();
  co_return answer ? Result<void>() : Result<void>(answer.error());
}

}  // namespace
