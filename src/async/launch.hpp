// launch(): the only place that starts a coroutine.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <exception>
#include <functional>

namespace keelson::async {

// Runs `task` up to its first wait, and calls `on_end` from the loop when it has ended. `slot` cancels it.
//
// It is co_spawn with a fix: for a task that never waited, co_spawn waits once more outside of its try block. If the
// task was canceled while it ran (by something that it called), this wait throws, and the exception ends the process.
void launch(const boost::asio::any_io_executor& executor, boost::asio::awaitable<void> task,
            boost::asio::cancellation_slot slot, std::function<void(std::exception_ptr)> on_end);

}  // namespace keelson::async
