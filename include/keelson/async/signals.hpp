// SIGINT and SIGTERM: the first asks for an orderly stop, the second ends the process with exit code 1.
#pragma once

#include <boost/asio/awaitable.hpp>

namespace keelson::async {

// Returns when the first signal has come; from then on the default of the second is armed.
[[nodiscard]] boost::asio::awaitable<void> wait_for_stop_signal();

}  // namespace keelson::async
