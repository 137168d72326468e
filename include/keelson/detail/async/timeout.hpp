// Timeouts for coroutines, on the Clock of the caller: with_timeout for work with a result, finish_within without.
//
// Work that is late is canceled, and these functions return only after it has unwound, so that work may refer to the
// caller's locals.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "keelson/async/clock.hpp"
#include "keelson/base/result.hpp"
#include "keelson/base/task.hpp"

namespace keelson::async {

// True if `work` ended, false if `limit` passed first and work was canceled. Cancellation of the caller unwinds work
// and then the caller; an exception of work is rethrown. Work that cannot be canceled (TaskGroup::join) delays the
// return beyond the limit: use TaskGroup::drain instead.
[[nodiscard]] boost::asio::awaitable<bool> finish_within(Clock& clock, Duration limit,
                                                         boost::asio::awaitable<void> work);

// The same with a deadline that moves: work is canceled when the clock has passed the current value of `deadline`. A
// single timer serves all of work, however often the deadline moves later. An earlier deadline takes effect only when
// the timer fires.
[[nodiscard]] boost::asio::awaitable<bool> finish_while_alive(Clock& clock, std::function<TimePoint()> deadline,
                                                              boost::asio::awaitable<void> work);

namespace detail {
template <class T>
boost::asio::awaitable<void> store(Task<T> work, std::optional<Result<T>>& slot) {
  slot.emplace(co_await std::move(work));
}
[[nodiscard]] Error no_answer(const std::string& what, Duration limit);
}  // namespace detail

// The result of `work`, or a kTimeout error "<what>: no answer within 30s" after work was canceled and has unwound.
// Cancellation of the caller is not an error: it unwinds both.
template <class T>
[[nodiscard]] Task<T> with_timeout(Clock& clock, Duration limit, std::string what, Task<T> work) {
  std::optional<Result<T>> result;
  auto stored = detail::store<T>(std::move(work), result);
  auto finished = co_await finish_within(clock, limit, std::move(stored));
  if (!finished) co_return detail::no_answer(what, limit);
  co_return std::move(*result);
}

}  // namespace keelson::async
