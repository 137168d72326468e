// The options of a controller: name, workers, backoff, timeout, priority of a source.
#include <algorithm>

#include "test/unit/controller/controller_on_fakes.hpp"

namespace {

using namespace keelson;
using namespace keelson::testing;
using namespace std::chrono_literals;

// A world whose definition is changed before its controller is created.
struct Configured : ControllerOnFakes {
  Configured(Body b, const std::function<void(controller::Definition&)>& configure) : ControllerOnFakes(std::move(b)) {
    configure(*definition);
    runnable = controller::make_controller(loop.executor(), context, *definition, {});
  }
  void run_with(const std::vector<std::string>& names, async::Duration time = 1min) {
    run([this, names, time]() -> awaitable<void> {
      for (const auto& name : names) add(name);
      co_await pass(time);
    });
  }
};

Task<Outcome> sleep_an_hour(async::Clock& clock, int& running, int& most) {
  most = std::max(most, ++running);
  co_await async::sleep_for(clock, 1h);
  --running;
  co_return Outcome::done();
}

Task<Outcome> fail(std::vector<async::TimePoint>& calls, async::Clock& clock) {
  calls.push_back(clock.now());
  co_return transport_error("connection refused");
}

Task<Outcome> time_out_once(async::Clock& clock, int& calls, int& unwound) {
  struct Counted {
    int& count;
    ~Counted() { ++count; }
  };
  if (++calls > 1) co_return Outcome::done();
  const Counted counted{unwound};
  co_await async::sleep_for(clock, 1h);
  co_return Outcome::done();
}

Task<Outcome> succeed() { co_return Outcome::done(); }

}  // namespace

TEST_CASE("a named controller has its name in metrics and logs") {
  Configured world([](kube::Key, Logger) { return succeed(); }, [](auto& of) { of.named("memcached-backup"); });

  world.run_with({"a"});

  CHECK(world.counted(R"(reconcile_total{controller="memcached-backup",result="success"})", 1));
  REQUIRE(world.lines.find("Starting Controller") != nullptr);
  CHECK(world.lines.find("Starting Controller")->fields.at("controller") == R"("memcached-backup")");
}

TEST_CASE("a controller's own number of workers has precedence over that of the program") {
  int running = 0;
  int most = 0;
  ControllerOnFakes* self = nullptr;
  Configured world([&](kube::Key, Logger) { return sleep_an_hour(self->loop.clock(), running, most); },
                   [](auto& of) { of.max_concurrent_reconciles(3); });
  self = &world;

  world.run([&]() -> awaitable<void> {
    for (const auto* name : {"a", "b", "c", "d", "e"}) world.add(name);
    co_await world.pass(1min);
    world.runnable->abort();
  });

  CHECK(most == 3);
}

TEST_CASE("the backoff after errors has the controller's base and cap") {
  std::vector<async::TimePoint> calls;
  ControllerOnFakes* self = nullptr;
  Configured world([&](kube::Key, Logger) { return fail(calls, self->loop.clock()); },
                   [](auto& of) { of.backoff(1s, 3s); });
  self = &world;

  world.run_with({"a"}, 11s);

  REQUIRE(calls.size() >= 5);
  CHECK(calls[1] - calls[0] == 1s);
  CHECK(calls[2] - calls[1] == 2s);
  CHECK(calls[3] - calls[2] == 3s);
  CHECK(calls[4] - calls[3] == 3s);
}

TEST_CASE("a reconcile that exceeds its timeout is canceled, counted and retried") {
  int calls = 0;
  int unwound = 0;
  ControllerOnFakes* self = nullptr;
  Configured world([&](kube::Key, Logger) { return time_out_once(self->loop.clock(), calls, unwound); },
                   [](auto& of) { of.reconcile_timeout(20s); });
  self = &world;

  world.run_with({"a"});

  CHECK(calls == 2);
  CHECK(unwound == 1);
  CHECK(world.counted(R"(reconcile_timeouts_total{controller="memcached"})", 1));
  CHECK(world.counted(R"(reconcile_errors_total{controller="memcached"})", 1));
  CHECK(world.counted(R"(reconcile_panics_total{controller="memcached"})", 0));
  REQUIRE(world.lines.find("Reconciler error") != nullptr);
  CHECK(world.lines.find("Reconciler error")->fields.at("error") ==
        "the reconcile was canceled after its timeout of 20s");
}

TEST_CASE("keys of a source with a higher priority are reconciled first") {
  std::vector<std::string> order;
  Configured world(
      [&order](kube::Key key, Logger) {
        order.push_back(key.name);
        return succeed();
      },
      [](auto& of) {
        of.watches(kube::services(), {.priority = 10},
                   [](const kube::Object& changed, cache::Cache&) { return std::vector{changed.key()}; });
      });

  world.run([&]() -> awaitable<void> {
    co_await world.pass(1s);
    for (const auto* name : {"a", "b"}) world.add(name);
    world.cache.of(kube::services()).send(added(memcached("urgent")));
    co_await world.pass(1s);
  });

  REQUIRE(order.size() == 3);
  CHECK(order.front() == "urgent");
}
