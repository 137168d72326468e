#include "keelson/async/task_group.hpp"

#include <boost/system/system_error.hpp>
#include <catch2/catch_test_macros.hpp>
#include <stdexcept>
#include <string>

#include "keelson/detail/async/is_cancelled.hpp"
#include "keelson/detail/async/timeout.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"

namespace asio = boost::asio;
using namespace keelson;
using namespace std::chrono_literals;

namespace {

asio::awaitable<void> set(bool& flag) {
  flag = true;
  co_return;
}

// Sleeps forever and records how the sleep ended.
asio::awaitable<void> sleep_long(async::Clock& clock, std::string& trace) {
  try {
    co_await async::sleep_for(clock, 1h);
    trace += "slept ";
  } catch (...) {
    trace += async::is_cancelled(std::current_exception()) ? "cancelled " : "failed ";
    throw;
  }
}

asio::awaitable<void> fail_after(async::Clock& clock, async::Duration delay, std::string text) {
  co_await async::sleep_for(clock, delay);
  throw std::runtime_error(text);
}

}  // namespace

TEST_CASE("a task does not run inside spawn") {
  sandbox::loop::TestLoop loop;
  async::TaskGroup group(loop.executor());
  bool ran_at_once = true;
  bool ran = false;

  loop.run([&]() -> asio::awaitable<void> {
    group.spawn(set(ran));
    ran_at_once = ran;
    co_await group.join();
  });

  CHECK_FALSE(ran_at_once);
  CHECK(ran);
  CHECK(group.empty());
}

TEST_CASE("stop cancels every task and join waits until they have unwound") {
  sandbox::loop::TestLoop loop;
  async::TaskGroup group(loop.executor());
  std::string trace;
  group.spawn(sleep_long(loop.clock(), trace));
  group.spawn(sleep_long(loop.clock(), trace));
  loop.poll();

  group.stop();
  loop.run(group.join());

  CHECK(trace == "cancelled cancelled ");
  CHECK(loop.clock().timers() == 0);
}

TEST_CASE("stop drops a task that has not started, and tasks that are spawned later") {
  sandbox::loop::TestLoop loop;
  async::TaskGroup group(loop.executor());
  bool early = false;
  bool late = false;

  group.spawn(set(early));
  group.stop();
  group.spawn(set(late));
  loop.run(group.join());

  CHECK_FALSE(early);
  CHECK_FALSE(late);
  CHECK(group.stopped());
}

TEST_CASE("a task may stop its own group and spawn into it") {
  sandbox::loop::TestLoop loop;
  async::TaskGroup group(loop.executor());
  std::string trace;
  auto stop_all = [](async::TaskGroup& g, async::Clock& clock, std::string& t) -> asio::awaitable<void> {
    g.spawn(sleep_long(clock, t));
    co_await sandbox::loop::yield();
    co_await sandbox::loop::yield();
    g.stop();
    t += "stopped ";
    co_await async::sleep_for(clock, 1s);
    t += "never";
  };
  group.spawn(stop_all(group, loop.clock(), trace));

  loop.run(group.join());

  CHECK(trace == "stopped cancelled ");
}

TEST_CASE("a task may stop its own group as its last action") {
  sandbox::loop::TestLoop loop;
  async::TaskGroup group(loop.executor());
  auto stop_all = [](async::TaskGroup& g) -> asio::awaitable<void> {
    g.stop();
    co_return;
  };
  group.spawn(stop_all(group));

  loop.run(group.join());

  CHECK(group.empty());
}

TEST_CASE("join rethrows the first exception and later exceptions are dropped") {
  sandbox::loop::TestLoop loop;
  async::TaskGroup group(loop.executor());
  group.spawn(fail_after(loop.clock(), 2s, "second"));
  group.spawn(fail_after(loop.clock(), 1s, "first"));

  std::string text;
  try {
    loop.run(group.join());
  } catch (const std::runtime_error& error) {
    text = error.what();
  }

  CHECK(text == "first");
  CHECK_NOTHROW(loop.run(group.join()));
}

TEST_CASE("canceling the caller of join ends its next await, not the join") {
  sandbox::loop::TestLoop loop;
  async::TaskGroup inner(loop.executor());
  async::TaskGroup outer(loop.executor());
  std::string trace;
  inner.spawn(sleep_long(loop.clock(), trace));
  auto joiner = [](async::TaskGroup& g, async::Clock& clock, std::string& t) -> asio::awaitable<void> {
    co_await g.join();
    t += "joined ";
    co_await async::sleep_for(clock, 1s);
    t += "never";
  };
  outer.spawn(joiner(inner, loop.clock(), trace));
  loop.poll();

  outer.stop();
  loop.poll();
  CHECK(trace.empty());
  loop.run(outer.join());

  CHECK(trace == "slept joined ");
}

TEST_CASE("two coroutines may join a group at the same time, also an empty one") {
  sandbox::loop::TestLoop loop;
  async::TaskGroup group(loop.executor());
  async::TaskGroup joiners(loop.executor());
  std::string trace;
  group.spawn(sleep_long(loop.clock(), trace));

  joiners.spawn(group.join());
  joiners.spawn(group.join());
  loop.run(joiners.join());
  loop.run(group.join());

  CHECK(trace == "slept ");
}

TEST_CASE("drain can have a timeout: the tasks are stopped after a grace period") {
  sandbox::loop::TestLoop loop;
  async::TaskGroup group(loop.executor());
  std::string trace;
  bool in_time = true;
  auto start = loop.clock().now();
  group.spawn(sleep_long(loop.clock(), trace));

  loop.run([&]() -> asio::awaitable<void> {
    auto drained = group.drain();
    in_time = co_await async::finish_within(loop.clock(), 10s, std::move(drained));
    group.stop();
    co_await group.join();
  });

  CHECK_FALSE(in_time);
  CHECK(trace == "cancelled ");
  CHECK(loop.clock().now() - start == 10s);
}

TEST_CASE("with_task_group stops and joins the tasks that its body left running") {
  sandbox::loop::TestLoop loop;
  std::string trace;

  loop.run([&]() -> asio::awaitable<void> {
    auto body = [&](async::TaskGroup& group) -> asio::awaitable<void> {
      group.spawn(sleep_long(loop.clock(), trace));
      co_await async::sleep_for(loop.clock(), 1s);
      trace += "body ";
    };
    co_await async::with_task_group(body);
    trace += "after";
  });

  CHECK(trace == "body cancelled after");
}

TEST_CASE("with_task_group rethrows the exception of its body after the join") {
  sandbox::loop::TestLoop loop;
  std::string trace;
  auto body = [&](async::TaskGroup& group) -> asio::awaitable<void> {
    group.spawn(sleep_long(loop.clock(), trace));
    co_await async::sleep_for(loop.clock(), 1s);
    throw std::runtime_error("body failed");
  };

  CHECK_THROWS_AS(loop.run(async::with_task_group(body)), std::runtime_error);

  CHECK(trace == "cancelled ");
}

TEST_CASE("with_task_group in a canceled coroutine still joins, and the coroutine stays canceled") {
  sandbox::loop::TestLoop loop;
  async::TaskGroup outer(loop.executor());
  std::string trace;
  auto task = [&]() -> asio::awaitable<void> {
    auto body = [&](async::TaskGroup& group) -> asio::awaitable<void> {
      group.spawn(sleep_long(loop.clock(), trace));
      co_await async::sleep_for(loop.clock(), 1h);
    };
    co_await async::with_task_group(body);
    trace += "never";
  };
  outer.spawn(task());
  loop.poll();

  outer.stop();
  loop.run(outer.join());

  CHECK(trace == "cancelled ");
}

TEST_CASE("a cancellation during the join of with_task_group is not lost") {
  sandbox::loop::TestLoop loop;
  async::TaskGroup outer(loop.executor());
  async::TaskGroup slow(loop.executor());
  std::string trace;
  slow.spawn(async::sleep_for(loop.clock(), 10s));
  auto task = [&]() -> asio::awaitable<void> {
    // The inner task ends only after `slow`, even if it is canceled.
    auto body = [&](async::TaskGroup& group) -> asio::awaitable<void> {
      group.spawn(slow.join());
      co_await sandbox::loop::yield();
      co_await sandbox::loop::yield();
    };
    co_await async::with_task_group(body);
    trace += "joined ";
    co_await async::sleep_for(loop.clock(), 1s);
    trace += "never";
  };
  outer.spawn(task());
  loop.poll();

  outer.stop();
  loop.run(outer.join());

  CHECK(trace == "joined ");
  CHECK(slow.empty());
}

TEST_CASE("a group runs a thousand tasks") {
  sandbox::loop::TestLoop loop;
  async::TaskGroup group(loop.executor());
  int ended = 0;
  auto task = [](async::Clock& clock, int& count, int i) -> asio::awaitable<void> {
    co_await async::sleep_for(clock, std::chrono::milliseconds(i % 7));
    ++count;
  };
  for (int i = 0; i < 1000; ++i) group.spawn(task(loop.clock(), ended, i));

  loop.run(group.join());

  CHECK(ended == 1000);
}
