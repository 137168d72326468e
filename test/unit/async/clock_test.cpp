#include "keelson/async/clock.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "keelson/async/task_group.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"

namespace asio = boost::asio;
using namespace keelson;
using namespace std::chrono_literals;

TEST_CASE("virtual time moves to the next timer and no further") {
  sandbox::loop::TestLoop loop;
  auto start = loop.clock().now();
  auto wall = loop.clock().wall_now();

  loop.run(async::sleep_for(loop.clock(), 65s));

  CHECK(loop.clock().now() - start == 65s);
  CHECK(loop.clock().wall_now() - wall == 65s);
}

TEST_CASE("timers fire in the order of their times, and of their requests if the times are equal") {
  sandbox::loop::VirtualClock clock;
  std::string trace;
  auto now = clock.now();
  auto c = clock.call_at(now + 2s, [&] { trace += 'c'; });
  auto a = clock.call_at(now + 1s, [&] { trace += 'a'; });
  auto b = clock.call_at(now + 1s, [&] { trace += 'b'; });
  auto never = clock.call_at(now + 3s, [&] { trace += 'x'; });

  never.reset();
  clock.advance(1s);
  CHECK(trace == "ab");
  clock.advance(10s);

  CHECK(trace == "abc");
  CHECK(clock.now() == now + 11s);
}

TEST_CASE("a timer that is requested by a timer of the same time fires in the next round") {
  sandbox::loop::VirtualClock clock;
  std::vector<std::unique_ptr<async::Timer>> timers;
  int calls = 0;
  std::function<void()> again = [&] {
    ++calls;
    timers.push_back(clock.call_at(clock.now(), again));
  };
  timers.push_back(clock.call_at(clock.now(), again));

  clock.advance_to_next();

  CHECK(calls == 1);
  CHECK(clock.timers() == 1);
}

TEST_CASE("a change of the wall clock does not affect timers") {
  sandbox::loop::TestLoop loop;
  auto start = loop.clock().now();
  loop.clock().set_wall(std::chrono::sys_days(std::chrono::year(2030) / 6 / 1));

  loop.run(async::sleep_for(loop.clock(), 1s));

  CHECK(loop.clock().now() - start == 1s);
  CHECK(loop.clock().wall_now() == std::chrono::sys_days(std::chrono::year(2030) / 6 / 1) + 1s);
}

TEST_CASE("a timer whose time has passed fires immediately") {
  sandbox::loop::TestLoop loop;
  auto start = loop.clock().now();

  loop.run(async::sleep_until(loop.clock(), start - 1s));

  CHECK(loop.clock().now() == start);
}

TEST_CASE("the test loop reports a deadlock, an endless wait and an endless loop") {
  sandbox::loop::TestLoop loop;
  async::Notify never;
  auto busy = []() -> asio::awaitable<void> {
    for (;;) co_await sandbox::loop::yield();
  };
  auto message = [&](asio::awaitable<void> task) {
    std::string text;
    try {
      loop.run(std::move(task), {.virtual_time = 1min, .steps = 10'000});
    } catch (const std::runtime_error& error) {
      text = error.what();
    }
    return text;
  };

  CHECK(message(never.wait()).starts_with("deadlock"));
  CHECK(message(async::sleep_for(loop.clock(), 1h)).find("virtual time") != std::string::npos);
  CHECK(message(busy()).find("number of steps") != std::string::npos);
}

TEST_CASE("the real clock resumes a sleeping coroutine after its time and not before") {
  sandbox::loop::TestLoop loop;
  auto start = async::BootClock::now();

  loop.run_real(async::sleep_for(loop.real_clock(), 20ms));

  CHECK(async::BootClock::now() - start >= 20ms);
}

TEST_CASE("a canceled sleep on the real clock unwinds immediately and destroys its timer") {
  sandbox::loop::TestLoop loop;
  async::TaskGroup group(loop.executor());
  group.spawn(async::sleep_for(loop.real_clock(), 1h));
  loop.poll();

  group.stop();
  loop.run_real(group.join(), 5s);

  CHECK(group.empty());
}

TEST_CASE("a timer of the real clock that is destroyed when it fires makes no call") {
  sandbox::loop::TestLoop loop;
  int calls = 0;
  auto past = async::BootClock::now() - 1s;
  std::unique_ptr<async::Timer> second;
  auto first = loop.real_clock().call_at(past, [&] {
    ++calls;
    second.reset();
  });
  second = loop.real_clock().call_at(past, [&] { ++calls; });

  loop.run_real(async::sleep_for(loop.real_clock(), 5ms));

  CHECK(calls == 1);
}

TEST_CASE("on_wall_set calls back each time the wall clock is set, until its timer is destroyed") {
  sandbox::loop::TestLoop loop;
  auto& clock = loop.clock();
  int calls = 0;
  auto watch = clock.on_wall_set([&] { ++calls; });

  clock.set_wall(clock.wall_now() + 1h);
  CHECK(calls == 0);
  loop.run(async::sleep_for(clock, 1ms));
  CHECK(calls == 1);
  loop.run(async::sleep_for(clock, 1h));
  clock.set_wall(clock.wall_now() - 2h);
  loop.run(async::sleep_for(clock, 1ms));
  CHECK(calls == 2);

  clock.set_wall(clock.wall_now() + 1h);
  watch.reset();
  loop.run(async::sleep_for(clock, 1ms));
  CHECK(calls == 2);
}

TEST_CASE("on_wall_set of the real clock makes no call while the wall clock is not set, and leaves nothing behind") {
  sandbox::loop::TestLoop loop;
  int calls = 0;
  auto watch = loop.real_clock().on_wall_set([&] { ++calls; });

  REQUIRE(watch != nullptr);
  loop.run_real(async::sleep_for(loop.real_clock(), 20ms));
  watch.reset();
  loop.run_real(async::sleep_for(loop.real_clock(), 5ms));

  CHECK(calls == 0);
}
