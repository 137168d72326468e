// A bound on how long something may take, on the Clock that is passed in.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "keelson/async/clock.hpp"
#include "keelson/base/result.hpp"

namespace keelson::async {

// True if `work` ended, false if `limit` passed first; work has then been cancelled and has unwound.
// Cancellation from outside unwinds both; an exception of work is rethrown.
[[nodiscard]] boost::asio::awaitable<bool> finish_within(Clock& clock, Duration limit,
                                                         boost::asio::awaitable<void> work);

// The same with a limit that moves: `work` is cancelled once the clock has passed what `deadline` says then. One
// timer for the whole of work, however often its deadline moves on.
[[nodiscard]] boost::asio::awaitable<bool> finish_while_alive(Clock& clock, std::function<TimePoint()> deadline,
                                                              boost::asio::awaitable<void> work);

namespace detail {
template <class T>
boost::asio::awaitable<void> store(boost::asio::awaitable<Result<T>> work, std::optional<Result<T>>& slot) {
  slot.emplace(co_await std::move(work));
}
}  // namespace detail

// The result of `work`, or a kTimeout error "<what>: no answer within 30s".
template <class T>
[[nodiscard]] boost::asio::awaitable<Result<T>> with_timeout(Clock& clock, Duration limit, std::string what,
                                                             boost::asio::awaitable<Result<T>> work) {
  std::optional<Result<T>> result;
  auto stored = detail::store<T>(std::move(work), result);
  auto finished = co_await finish_within(clock, limit, std::move(stored));
  if (!finished || !result) {
    auto seconds = std::chrono::duration_cast<std::chrono::milliseconds>(limit).count();
    co_return timeout(what + ": no answer within " + std::to_string(seconds) + " ms");
  }
  co_return std::move(*result);
}

}  // namespace keelson::async
