// SIGINT and SIGTERM: the first signal requests an orderly stop, the second ends the process with exit code 1.
#pragma once

#include <boost/asio/awaitable.hpp>

namespace keelson::async {

// Returns after the first signal; from then on a second one exits immediately. Terminal cancellation ends the wait, and
// the signals have their default effect again.
[[nodiscard]] boost::asio::awaitable<void> wait_for_stop_signal();

}  // namespace keelson::async
