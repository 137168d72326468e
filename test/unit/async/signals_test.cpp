#include "keelson/detail/async/signals.hpp"

#include <catch2/catch_test_macros.hpp>
#include <csignal>

#include "keelson/async/task_group.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"

namespace asio = boost::asio;
using namespace keelson;

TEST_CASE("the first SIGTERM ends the wait, and the second one ends the process") {
  sandbox::loop::TestLoop loop;
  async::TaskGroup group(loop.executor());
  bool stopped = false;

  loop.run_real([&]() -> asio::awaitable<void> {
    group.spawn(async::wait_for_stop_signal());
    co_await sandbox::loop::yield();
    co_await sandbox::loop::yield();
    std::raise(SIGTERM);
    co_await group.join();
    stopped = true;
  });
  auto second = std::signal(SIGTERM, SIG_DFL);
  std::signal(SIGINT, SIG_DFL);

  CHECK(stopped);
  CHECK(second != SIG_DFL);
  CHECK(second != SIG_IGN);
}
