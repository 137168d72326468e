#include "keelson/detail/async/time_slice.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "keelson/async/task_group.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"

namespace asio = boost::asio;
using namespace keelson;
using namespace std::chrono_literals;
using async::TimeSlice;

namespace {

// Work that never waits; each step takes 100 us of the loop.
asio::awaitable<void> work(sandbox::loop::TestLoop& loop, async::Duration& since_turn, int slices) {
  TimeSlice slice(loop.clock());
  while (slices > 0) {
    loop.clock().advance(100us);
    since_turn += 100us;
    if (!slice.is_over()) continue;
    --slices;
    co_await slice.yield();
  }
}

// The longest time between two of its turns.
asio::awaitable<void> watch(async::Duration& since_turn, async::Duration& longest) {
  for (;;) {
    longest = std::max(longest, std::exchange(since_turn, 0ns));
    co_await sandbox::loop::yield();
  }
}

asio::awaitable<void> yield_forever(TimeSlice& slice, std::string& order, char name) {
  for (;;) {
    order += name;
    co_await slice.yield();
  }
}

}  // namespace

TEST_CASE("a slice is short after another wait and longer after yield, and also ends by bytes") {
  sandbox::loop::TestLoop loop;
  TimeSlice slice(loop.clock());

  CHECK_FALSE(slice.is_over());
  loop.clock().advance(TimeSlice::kFirstLength);
  CHECK(slice.is_over());
  loop.run([&]() -> asio::awaitable<void> { co_await slice.yield(); });
  loop.clock().advance(TimeSlice::kLength - 1ns);
  CHECK_FALSE(slice.is_over());
  loop.clock().advance(1ns);
  CHECK(slice.is_over());
  slice.restart();
  CHECK_FALSE(slice.is_over());
  slice.spend(limits::kDecodeSliceBytes - 1);
  CHECK_FALSE(slice.is_over());
  slice.spend(1);
  CHECK(slice.is_over());
}

TEST_CASE("a hundred busy coroutines delay the others by one slice and not by a hundred") {
  sandbox::loop::TestLoop loop;
  async::TaskGroup group(loop.executor());
  async::TaskGroup other(loop.executor());
  auto since_turn = 0ns;
  auto at_start = 0ns;
  auto longest = 0ns;

  loop.run([&]() -> asio::awaitable<void> {
    for (int count = 0; count < 100; ++count) group.spawn(work(loop, since_turn, 5));
    co_await sandbox::loop::yield();
    at_start = std::exchange(since_turn, 0ns);
    other.spawn(watch(since_turn, longest));
    co_await group.drain();
    other.stop();
    co_await other.join();
  });

  CHECK(at_start <= 100 * (TimeSlice::kFirstLength + 100us));
  CHECK(longest > 0ns);
  CHECK(longest <= TimeSlice::kLength);
}

TEST_CASE("yielding coroutines take turns, and a canceled one leaves the queue") {
  sandbox::loop::TestLoop loop;
  TimeSlice slice(loop.clock());
  async::TaskGroup stays(loop.executor());
  async::TaskGroup goes(loop.executor());
  std::string order;

  loop.run([&]() -> asio::awaitable<void> {
    stays.spawn(yield_forever(slice, order, 'a'));
    goes.spawn(yield_forever(slice, order, 'b'));
    stays.spawn(yield_forever(slice, order, 'c'));
    while (order.size() < 9) co_await sandbox::loop::yield();
    CHECK(order.substr(0, 9) == "abcabcabc");
    goes.stop();
    co_await goes.join();
    order.clear();
    while (order.size() < 4) co_await sandbox::loop::yield();
    stays.stop();
    co_await stays.join();
  });

  CHECK(order.find('b') == std::string::npos);
  CHECK(order.find("aa") == std::string::npos);
}
