// A controller that is paused at run time.
#include "src/controller/pause_switch.hpp"

#include "src/controller/controller.hpp"
#include "test/unit/controller/controller_on_fakes.hpp"

using namespace keelson;
using namespace keelson::testing;
using namespace std::chrono_literals;

namespace {

controller::PauseSwitch& pauses_of(ControllerOnFakes& world) {
  return dynamic_cast<controller::RunningController&>(*world.runnable).pauses();
}

}  // namespace

TEST_CASE("a paused controller ends running reconciles, begins no other one, and has no key lost when it is resumed") {
  int began = 0;
  int ended = 0;
  ControllerOnFakes* running = nullptr;
  ControllerOnFakes world([&](kube::Key, Logger) -> Task<Outcome> {
    ++began;
    co_await async::sleep_for(running->loop.clock(), 1s);
    ++ended;
    co_return Outcome::done();
  });
  running = &world;

  world.run([&]() -> awaitable<void> {
    world.add("a");
    co_await world.pass(100ms);
    pauses_of(world).pause("bad rollout", "jane", std::nullopt);
    world.add("b");
    world.add("c");
    co_await world.pass(10min);
    CHECK(began == 1);
    CHECK(ended == 1);
    CHECK(world.runnable->status().queue.ready == 2);
    CHECK(world.runnable->status().pause->reason == "bad rollout");

    CHECK(pauses_of(world).resume("jane"));
    co_await world.pass(10s);
    CHECK(ended == 3);
  });
}

TEST_CASE("a controller that was paused before its start begins no reconcile, and can be stopped") {
  int calls = 0;
  ControllerOnFakes world([&](kube::Key, Logger) -> Task<Outcome> {
    ++calls;
    co_return Outcome::done();
  });
  pauses_of(world).pause("before", "jane", std::nullopt);

  world.run([&]() -> awaitable<void> {
    world.add("a");
    co_await world.pass(1min);
  });

  CHECK(calls == 0);
}
