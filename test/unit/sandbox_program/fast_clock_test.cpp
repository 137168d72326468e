#include "src/sandbox_program/fast_clock.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/sandbox/loop/test_loop.hpp"

namespace keelson::sandbox_program {
namespace {

using namespace std::chrono_literals;

TEST_CASE("a fast clock starts with the other clock's time and runs faster") {
  sandbox::loop::TestLoop loop;
  FastClock fast(loop.clock(), 60);
  const auto start = fast.now();
  const auto wall = fast.wall_now();

  CHECK(start == loop.clock().now());
  CHECK(wall == loop.clock().wall_now());
  loop.clock().advance(1s);

  CHECK(fast.now() - start == 60s);
  CHECK(fast.wall_now() - wall == 60s);
}

TEST_CASE("a timer of a fast clock fires at its time on that clock") {
  for (double speed : {0.5, 1.0, 3.0, 60.0, 10'000.0}) {
    INFO(speed);
    sandbox::loop::TestLoop loop;
    FastClock fast(loop.clock(), speed);
    const auto due = fast.now() + 7s;
    bool was_due = false;
    auto timer = fast.call_at(due, [&] { was_due = fast.now() >= due; });

    CHECK(loop.clock().timers() == 1);
    loop.clock().advance_to_next();

    CHECK(was_due);
    CHECK(fast.now() - due < 1ms);
  }
}

TEST_CASE("a destroyed timer does not fire, and the clock stops before it overflows") {
  sandbox::loop::TestLoop loop;
  FastClock fast(loop.clock(), 10'000);
  bool has_fired = false;
  auto timer = fast.call_at(fast.now() + 1h, [&] { has_fired = true; });

  timer.reset();
  const auto start = fast.now();
  loop.clock().advance(24h * 30);

  CHECK_FALSE(has_fired);
  CHECK(fast.now() - start > 24h * 365 * 200);
  CHECK(fast.wall_now() > loop.clock().wall_now());
}

}  // namespace
}  // namespace keelson::sandbox_program
