// Coroutines and functions that may end without a value, with the option that the installed package brings.
#include <boost/asio/awaitable.hpp>

#include "keelson/base/result.hpp"

namespace {

using namespace keelson;

boost::asio::awaitable<Result<int>> ask();

[[maybe_unused]] boost::asio::awaitable<Result<void>> forget() {
  const auto answer = co_await ask();
  static_cast<void>(answer);
  // expect: return-type
}

[[maybe_unused]] boost::asio::awaitable<Result<void>> forget_sometimes(bool is_new) {
  if (is_new) co_return Result<void>();
  // expect: return-type
}

[[maybe_unused]] Result<void> forget_to_return(bool is_new) {
  if (is_new) return {};
  // expect: return-type
}

}  // namespace
