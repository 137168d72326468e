// Running the loop by hand, again after it had no work.
#include "keelson/detail/async/run_until.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <catch2/catch_test_macros.hpp>

#include "keelson/async/task_group.hpp"

namespace {

using namespace keelson;

boost::asio::awaitable<void> count_up(int& count) {
  ++count;
  co_return;
}

}  // namespace

TEST_CASE("run_until runs the work of a loop that has stopped because it had none") {
  boost::asio::io_context loop(1);
  loop.run();
  REQUIRE(loop.stopped());
  int count = 0;
  async::TaskGroup tasks(loop.get_executor());

  for (int i = 0; i < 3; ++i) {
    tasks.spawn(count_up(count));
    async::run_until(loop, [&] { return tasks.empty(); });
  }

  CHECK(count == 3);
}

TEST_CASE("run_until executes no handler after its condition holds") {
  boost::asio::io_context loop(1);
  int executed = 0;
  for (int i = 0; i < 3; ++i) boost::asio::post(loop, [&executed] { ++executed; });

  async::run_until(loop, [&] { return executed == 2; });

  CHECK(executed == 2);
}
