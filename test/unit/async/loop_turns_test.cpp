#include "keelson/detail/async/loop_turns.hpp"

#include <boost/asio/post.hpp>
#include <catch2/catch_test_macros.hpp>

#include "keelson/sandbox/loop/test_loop.hpp"

namespace keelson::async {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

// A loop with something to wait for, as in a program; otherwise Asio never calls the kernel.
struct WaitingLoop : sandbox::loop::TestLoop {
  std::unique_ptr<Timer> far = real_clock().call_at(real_clock().now() + 24h, [] {});
};

// A handler that holds the loop for this long.
void hold(sandbox::loop::TestLoop& loop, Duration time) {
  asio::post(loop.executor(), [&loop, time] { loop.clock().advance(time); });
}

TEST_CASE("the longest turn of the loop is stored until it is read") {
  WaitingLoop loop;
  loop.poll();
  LoopTurns turns(loop.executor(), loop.clock());
  CHECK(turns.take().longest == 0s);

  for (auto time : {1ms, 397ms, 5ms}) {
    hold(loop, time);
    loop.poll();
  }

  CHECK(turns.take().longest == 397ms);
  CHECK(turns.take().longest == 0s);
  hold(loop, 2ms);
  loop.poll();
  CHECK(turns.take().longest == 2ms);
}

TEST_CASE("handlers that are ready in the same turn count together, because a socket waits for all of them") {
  WaitingLoop loop;
  LoopTurns turns(loop.executor(), loop.clock());
  loop.poll();

  for (int i = 0; i < 50; ++i) hold(loop, 4ms);
  loop.poll();

  CHECK(turns.take().longest == 200ms);
}

TEST_CASE("neither a wait nor the time before the first wait counts as a turn") {
  TurnMeter meter;
  TimePoint start;

  meter.waits(start + 10s);
  meter.wakes(start + 60s);
  meter.waits(start + 61s);
  meter.wakes(start + 100s);

  CHECK(meter.take().longest == 1s);
  meter.waits(start + 102s);
  meter.waits(start + 500s);
  CHECK(meter.take().longest == 2s);
}

TEST_CASE("each turn counts in the first bound that it does not exceed") {
  TurnMeter meter;
  TimePoint start;

  for (const Duration turn : {Duration(40us), Duration(100us), Duration(101us), Duration(5ms), Duration(60s)}) {
    meter.wakes(start);
    meter.waits(start + turn);
  }

  const auto turns = meter.take();
  CHECK(turns.counts == decltype(turns.counts){2, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1});
  CHECK(turns.total == 60s + 5ms + 241us);
  CHECK(meter.take().counts == decltype(turns.counts){});
}

TEST_CASE("a loop runs without a LoopTurns, and after its LoopTurns is destroyed") {
  WaitingLoop loop;
  hold(loop, 1s);
  loop.poll();
  {
    LoopTurns turns(loop.executor(), loop.clock());
    hold(loop, 1s);
    loop.poll();
    CHECK(turns.take().longest == 1s);
  }
  hold(loop, 1s);
  loop.poll();

  LoopTurns again(loop.executor(), loop.clock());
  CHECK(again.take().longest == 0s);
}

}  // namespace
}  // namespace keelson::async
