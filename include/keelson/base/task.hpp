// Task: the return type of a coroutine that can fail.
//
// `co_await` of a Task<T> gives a Result<T>. The coroutine starts when it is awaited or spawned in a TaskGroup, and
// runs on that caller's executor. Its arguments must outlive it: what it holds by reference is not copied. Cancellation
// ends its current wait by an exception (boost::system::system_error, operation_aborted), not by an Error.
#pragma once

#include <boost/asio/awaitable.hpp>

#include "keelson/base/result.hpp"
#include "keelson/base/task.hpp"

namespace keelson {

template <class T>
using Task = boost::asio::awaitable<Result<T>>;

}  // namespace keelson
