// is_cancelled: distinguishes cancellation from the exceptions that a coroutine may throw.
//
// A canceled coroutine unwinds with Asio's operation_aborted. Code that catches everything must rethrow this
// exception, or its service cannot be stopped.
#pragma once

#include <exception>

namespace keelson::async {

// True for Asio's operation_aborted. `exception` must not be null.
[[nodiscard]] bool is_cancelled(const std::exception_ptr& exception);

}  // namespace keelson::async
