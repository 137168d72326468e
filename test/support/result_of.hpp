// Runs one coroutine of a test, such as a request, and returns what it returns.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <optional>
#include <utility>

#include "keelson/sandbox/loop/test_loop.hpp"

namespace keelson::testing {

namespace detail {
template <class T>
boost::asio::awaitable<void> store_result(boost::asio::awaitable<T> work, std::optional<T>& result) {
  result.emplace(co_await std::move(work));
}
}  // namespace detail

// In virtual time. Temporaries that `work` refers to live until this function returns.
template <class T>
T result_of(sandbox::loop::TestLoop& loop, boost::asio::awaitable<T> work) {
  std::optional<T> result;
  loop.run(detail::store_result<T>(std::move(work), result));
  return std::move(*result);
}

// The same with real input and output.
template <class T>
T real_result_of(sandbox::loop::TestLoop& loop, boost::asio::awaitable<T> work) {
  std::optional<T> result;
  loop.run_real(detail::store_result<T>(std::move(work), result));
  return std::move(*result);
}

}  // namespace keelson::testing
