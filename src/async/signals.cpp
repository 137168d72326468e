#include "keelson/detail/async/signals.hpp"

#include <unistd.h>
#include <csignal>

#include <boost/asio/signal_set.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace keelson::async {
namespace asio = boost::asio;

namespace {
extern "C" void exit_at_once(int) { ::_exit(1); }
}  // namespace

asio::awaitable<void> wait_for_stop_signal() {
  auto executor = co_await asio::this_coro::executor;
  asio::signal_set signals(executor, SIGINT, SIGTERM);
  co_await signals.async_wait(asio::use_awaitable);
  signals.clear();
  std::signal(SIGINT, exit_at_once);
  std::signal(SIGTERM, exit_at_once);
}

}  // namespace keelson::async
