#include "keelson/detail/async/notify.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "keelson/async/task_group.hpp"
#include "keelson/detail/async/timeout.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"

namespace asio = boost::asio;
using namespace keelson;
using namespace std::chrono_literals;

namespace {

asio::awaitable<void> wait_and_note(async::Notify& notify, std::string& trace, char name) {
  co_await notify.wait();
  trace += name;
}

}  // namespace

TEST_CASE("notify_one wakes the waiter that has waited longest") {
  sandbox::loop::TestLoop loop;
  async::Notify notify;
  async::TaskGroup group(loop.executor());
  std::string trace;
  group.spawn(wait_and_note(notify, trace, 'a'));
  group.spawn(wait_and_note(notify, trace, 'b'));
  loop.poll();

  auto woken = notify.notify_one();
  loop.poll();

  CHECK(woken);
  CHECK(trace == "a");
  CHECK(notify.waiters() == 1);
  notify.notify_all();
  loop.run(group.join());
  CHECK(trace == "ab");
}

TEST_CASE("a notification without a waiter is not remembered") {
  sandbox::loop::TestLoop loop;
  async::Notify notify;

  CHECK_FALSE(notify.notify_one());
  notify.notify_all();

  CHECK_THROWS_AS(loop.run(notify.wait()), std::runtime_error);
  CHECK(notify.waiters() == 0);
}

TEST_CASE("notify_all wakes all current waiters, and none that waits again") {
  sandbox::loop::TestLoop loop;
  async::Notify notify;
  async::TaskGroup group(loop.executor());
  int rounds = 0;
  auto twice = [](async::Notify& n, int& count) -> asio::awaitable<void> {
    co_await n.wait();
    ++count;
    co_await n.wait();
    ++count;
  };
  for (int i = 0; i < 3; ++i) group.spawn(twice(notify, rounds));
  loop.poll();

  notify.notify_all();
  loop.poll();

  CHECK(rounds == 3);
  CHECK(notify.waiters() == 3);
  group.stop();
  loop.run(group.join());
  CHECK(rounds == 3);
}

TEST_CASE("a canceled waiter leaves the queue and does not consume a wake-up") {
  sandbox::loop::TestLoop loop;
  async::Notify notify;
  async::TaskGroup first(loop.executor());
  async::TaskGroup second(loop.executor());
  std::string trace;
  first.spawn(wait_and_note(notify, trace, 'a'));
  loop.poll();
  second.spawn(wait_and_note(notify, trace, 'b'));
  loop.poll();

  first.stop();
  CHECK(notify.waiters() == 1);
  CHECK(notify.notify_one());
  loop.run(first.join());
  loop.run(second.join());

  CHECK(trace == "b");
}

TEST_CASE("a waiter that is woken and canceled at the same time resumes once and ends at its next await") {
  sandbox::loop::TestLoop loop;
  async::Notify notify;
  async::TaskGroup group(loop.executor());
  std::string trace;
  auto wait_twice = [](async::Notify& n, std::string& t) -> asio::awaitable<void> {
    co_await n.wait();
    t += "woken ";
    co_await n.wait();
    t += "never";
  };
  group.spawn(wait_twice(notify, trace));
  loop.poll();

  notify.notify_one();
  group.stop();
  loop.run(group.join());

  CHECK(trace == "woken ");
  CHECK(notify.waiters() == 0);
}

TEST_CASE("a wait can have a timeout") {
  sandbox::loop::TestLoop loop;
  async::Notify notify;
  bool woken = true;

  loop.run([&]() -> asio::awaitable<void> {
    auto wait = notify.wait();
    woken = co_await async::finish_within(loop.clock(), 5s, std::move(wait));
  });

  CHECK_FALSE(woken);
  CHECK(notify.waiters() == 0);
}
