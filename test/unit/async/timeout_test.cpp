#include "keelson/detail/async/timeout.hpp"

#include <catch2/catch_test_macros.hpp>
#include <stdexcept>
#include <string>

#include "keelson/async/task_group.hpp"
#include "keelson/detail/async/is_cancelled.hpp"
#include "keelson/detail/async/notify.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"

namespace asio = boost::asio;
using namespace keelson;
using namespace std::chrono_literals;

namespace {

Task<int> answer_after(async::Clock& clock, async::Duration delay, int value) {
  co_await async::sleep_for(clock, delay);
  co_return value;
}

asio::awaitable<void> fail_after(async::Clock& clock, async::Duration delay) {
  co_await async::sleep_for(clock, delay);
  throw std::runtime_error("work failed");
}

asio::awaitable<void> nothing() { co_return; }

}  // namespace

TEST_CASE("work that ends in time gives its result and leaves no timer") {
  sandbox::loop::TestLoop loop;
  int value = 0;

  loop.run([&]() -> asio::awaitable<void> {
    auto work = answer_after(loop.clock(), 1s, 42);
    auto result = co_await async::with_timeout(loop.clock(), 2s, "ask", std::move(work));
    value = result.value();
  });

  CHECK(value == 42);
  CHECK(loop.clock().timers() == 0);
}

TEST_CASE("late work is canceled and unwound, and the error names the operation that timed out") {
  sandbox::loop::TestLoop loop;
  std::string text;
  Error::Kind kind{};

  loop.run([&]() -> asio::awaitable<void> {
    auto work = answer_after(loop.clock(), 1h, 42);
    auto result = co_await async::with_timeout(loop.clock(), 30s, "get pods", std::move(work));
    text = result.error().text;
    kind = result.error().kind;
  });

  CHECK(text == "get pods: no answer within 30s");
  CHECK(kind == Error::Kind::kTimeout);
  CHECK(loop.clock().timers() == 0);
}

TEST_CASE("a limit that is not a whole second is written in milliseconds") {
  CHECK(async::detail::no_answer("x", 1500ms).text == "x: no answer within 1500ms");
}

TEST_CASE("an exception of work is rethrown when it happens, not at the limit") {
  sandbox::loop::TestLoop loop;
  auto start = loop.clock().now();

  auto bounded = [&]() -> asio::awaitable<void> {
    auto work = fail_after(loop.clock(), 1s);
    co_await async::finish_within(loop.clock(), 1h, std::move(work));
  };
  CHECK_THROWS_AS(loop.run(bounded), std::runtime_error);

  CHECK(loop.clock().now() - start == 1s);
}

TEST_CASE("work that never waits ends immediately") {
  sandbox::loop::TestLoop loop;
  bool finished = false;

  loop.run([&]() -> asio::awaitable<void> {
    auto work = nothing();
    finished = co_await async::finish_within(loop.clock(), 1s, std::move(work));
  });

  CHECK(finished);
}

TEST_CASE("cancellation from outside unwinds the work first and then the caller") {
  sandbox::loop::TestLoop loop;
  async::TaskGroup group(loop.executor());
  std::string trace;
  auto work = [](async::Clock& clock, std::string& t) -> asio::awaitable<void> {
    try {
      co_await async::sleep_for(clock, 1h);
    } catch (...) {
      t += async::is_cancelled(std::current_exception()) ? "work " : "? ";
      throw;
    }
  };
  auto caller = [&]() -> asio::awaitable<void> {
    try {
      auto slow = work(loop.clock(), trace);
      co_await async::finish_within(loop.clock(), 1h, std::move(slow));
      trace += "returned";
    } catch (...) {
      trace += async::is_cancelled(std::current_exception()) ? "caller " : "? ";
      throw;
    }
  };
  group.spawn(caller());
  loop.poll();

  group.stop();
  loop.run(group.join());

  CHECK(trace == "work caller ");
  CHECK(loop.clock().timers() == 0);
}

TEST_CASE("work that cancels its own caller and never waits unwinds the caller") {
  sandbox::loop::TestLoop loop;
  async::TaskGroup group(loop.executor());
  bool went_on = false;
  auto stop_all = [](async::TaskGroup& g) -> asio::awaitable<void> {
    g.stop();
    co_return;
  };
  auto call = [&]() -> asio::awaitable<void> {
    auto work = stop_all(group);
    auto finished = co_await async::finish_within(loop.clock(), 1h, std::move(work));
    CHECK(finished);
    co_await async::sleep_for(loop.clock(), 1s);
    went_on = true;
  };
  group.spawn(call());

  loop.run(group.join());

  CHECK_FALSE(went_on);
  CHECK(loop.clock().timers() == 0);
}

TEST_CASE("a limit that passes at the time of a cancellation still unwinds") {
  sandbox::loop::TestLoop loop;
  async::TaskGroup group(loop.executor());
  bool returned = false;
  auto caller = [&]() -> asio::awaitable<void> {
    auto slow = async::sleep_for(loop.clock(), 1h);
    co_await async::finish_within(loop.clock(), 1s, std::move(slow));
    returned = true;
  };
  group.spawn(caller());
  loop.poll();

  loop.clock().advance(1s);
  group.stop();
  loop.run(group.join());

  CHECK_FALSE(returned);
}

TEST_CASE("work that ends at the moment of its limit has ended in time") {
  sandbox::loop::TestLoop loop;
  bool finished = false;

  loop.run([&]() -> asio::awaitable<void> {
    auto work = async::sleep_for(loop.clock(), 999ms);
    finished = co_await async::finish_within(loop.clock(), 1s, std::move(work));
  });

  CHECK(finished);
}

TEST_CASE("timeouts nest: only the inner one passes") {
  sandbox::loop::TestLoop loop;
  bool inner = true;
  bool outer = false;
  auto body = [&]() -> asio::awaitable<void> {
    auto slow = async::sleep_for(loop.clock(), 1h);
    inner = co_await async::finish_within(loop.clock(), 1s, std::move(slow));
    co_await async::sleep_for(loop.clock(), 1s);
  };

  loop.run([&]() -> asio::awaitable<void> {
    auto work = body();
    outer = co_await async::finish_within(loop.clock(), 5s, std::move(work));
  });

  CHECK_FALSE(inner);
  CHECK(outer);
}

TEST_CASE("a timeout also ends work that repeats other work with a timeout") {
  sandbox::loop::TestLoop loop;
  int rounds = 0;
  auto body = [&]() -> asio::awaitable<void> {
    for (;;) {
      auto slow = async::sleep_for(loop.clock(), 1h);
      co_await async::finish_within(loop.clock(), 1s, std::move(slow));
      ++rounds;
    }
  };
  bool finished = true;

  loop.run([&]() -> asio::awaitable<void> {
    auto work = body();
    finished = co_await async::finish_within(loop.clock(), 10500ms, std::move(work));
  });

  CHECK_FALSE(finished);
  CHECK(rounds == 10);
}
