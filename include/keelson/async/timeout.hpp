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
// Cancellation from outside unwinds both; an exception of work is rethrown. Work that cannot be cancelled
// (TaskGroup::join) is waited for however long it takes: bound TaskGroup::drain instead.
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
[[nodiscard]] Error no_answer(const std::string& what, Duration limit);
}  // namespace detail

// The result of `work`, or a kTimeout error "<what>: no answer within 30s".
template <class T>
[[nodiscard]] boost::asio::awaitable<Result<T>> with_timeout(Clock& clock, Duration limit, std::string what,
                                                             boost::asio::awaitable<Result<T>> work) {
  std::optional<Result<T>> result;
  auto stored = detail::store<T>(std::move(work), result);
  auto finished = co_await finish_within(clock, limit, std::move(stored));
  if (!finished) co_return detail::no_answer(what, limit);
  co_return std::move(*result);
}

}  // namespace keelson::async
