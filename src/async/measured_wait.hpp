// The loop's wait for its sockets and timers, which reports its begin and end to LoopTurns.
#pragma once

#include <sys/epoll.h>

#include <boost/asio/execution_context.hpp>

namespace keelson::async {

// epoll_wait(2) of the loop `context`. Asio has no hook around its wait, so src/async/asio.cpp compiles it to call
// this.
int measured_epoll_wait(boost::asio::execution_context& context, int descriptor, epoll_event* events, int size,
                        int timeout_ms);

}  // namespace keelson::async
