// A controller from its start to its stop.
#include "test/unit/controller/controller_on_fakes.hpp"

using namespace keelson;
using namespace keelson::testing;
using namespace std::chrono_literals;

TEST_CASE("G7, P8: start and stop log controller-runtime's lines in its order") {
  ControllerOnFakes world([](kube::Key, Logger) -> Task<Outcome> { co_return Outcome::done(); });

  world.run([&]() -> awaitable<void> { co_await world.pass(1s); });

  CHECK(world.lines.messages() ==
        std::vector<std::string>{"Starting EventSource", "Starting EventSource", "Starting Controller",
                                 "Starting workers", "Shutdown signal received, waiting for all workers to finish",
                                 "All workers finished"});
  CHECK(world.lines.find("Starting EventSource")->fields.at("source") == R"("kind source: *v1alpha1.Memcached")");
  CHECK(world.lines.find("Starting workers")->fields.at("worker count") == "1");
}

TEST_CASE("the metric series exist from the start, and not before") {
  ControllerOnFakes world([](kube::Key, Logger) -> Task<Outcome> { co_return Outcome::done(); }, 3);
  CHECK(world.registry.text().find("controller_runtime_reconcile_total{") == std::string::npos);

  world.run([&]() -> awaitable<void> {
    co_await world.pass(1s);
    for (const char* result : {"success", "error", "requeue", "requeue_after"}) {
      CHECK(world.counted(R"(reconcile_total{controller="memcached",result=")" + std::string(result) + "\"}", 0));
    }
    for (const char* name : {"reconcile_errors_total", "terminal_reconcile_errors_total", "reconcile_panics_total",
                             "reconcile_timeouts_total", "active_workers"}) {
      CHECK(world.counted(std::string(name) + R"({controller="memcached"})", 0));
    }
    CHECK(world.counted(R"(max_concurrent_reconciles{controller="memcached"})", 3));
    CHECK(world.registry.text().find("reconcile_time_seconds_bucket") == std::string::npos);
  });
}

TEST_CASE("workers wait for the caches, and the log names the missing ones") {
  int calls = 0;
  ControllerOnFakes world([&](kube::Key, Logger) -> Task<Outcome> {
    ++calls;
    co_return Outcome::done();
  });
  auto& deployments = world.cache.of(kube::deployments());
  deployments.synced = false;
  deployments.problem_text = "deployments.apps is forbidden";

  world.run([&]() -> awaitable<void> {
    world.add("a");
    co_await world.pass(1min);
    CHECK(world.lines.find("Could not wait for Cache to sync") == nullptr);
    co_await world.pass(2min);
    CHECK(calls == 0);
    auto line = world.lines.find("Could not wait for Cache to sync");
    REQUIRE(line != nullptr);
    CHECK(line->fields.at("error") ==
          "timed out waiting for cache to be synced for kind source: *v1.Deployment: deployments.apps is forbidden");

    deployments.synced = true;
    world.cache.synced.notify_all();
    co_await world.pass(1s);
  });

  CHECK(calls == 1);
}

TEST_CASE("a controller whose caches never sync stops immediately") {
  ControllerOnFakes world([](kube::Key, Logger) -> Task<Outcome> { co_return Outcome::done(); });
  world.cache.of(memcacheds()).synced = false;
  auto begun = world.loop.clock().now();

  world.run([&]() -> awaitable<void> { co_await sandbox::loop::yield(); });

  CHECK(world.loop.clock().now() == begun);
}

TEST_CASE("stop waits for a running reconcile and drops queued keys") {
  std::vector<std::string> finished;
  ControllerOnFakes* world = nullptr;
  auto body = [&](kube::Key key, Logger) -> Task<Outcome> {
    co_await world->pass(20s);
    finished.push_back(key.name);
    co_return transport_error("connection refused");
  };
  ControllerOnFakes owned(body);
  world = &owned;
  auto begun = owned.loop.clock().now();

  owned.run([&]() -> awaitable<void> {
    owned.add("a");
    owned.add("b");
    co_await owned.pass(1s);
  });

  CHECK(finished == std::vector<std::string>{"a"});
  CHECK(owned.loop.clock().now() - begun == 20s);
}

TEST_CASE("abort cancels a running reconcile without an error") {
  bool unwound = false;
  ControllerOnFakes* world = nullptr;
  struct Guard {
    bool& flag;
    ~Guard() { flag = true; }
  };
  auto body = [&](kube::Key, Logger) -> Task<Outcome> {
    Guard guard{unwound};
    co_await world->pass(1h);
    co_return Outcome::done();
  };
  ControllerOnFakes owned(body);
  world = &owned;

  owned.run([&]() -> awaitable<void> {
    owned.add("a");
    co_await owned.pass(1s);
    owned.runnable->abort();
  });

  CHECK(unwound);
  CHECK(owned.counted(R"(reconcile_total{controller="memcached",result="error"})", 0));
  CHECK(owned.counted(R"(reconcile_panics_total{controller="memcached"})", 0));
  CHECK(owned.counted(R"(active_workers{controller="memcached"})", 0));
}

TEST_CASE("a standby queues nothing, and its start queues the cached objects with low priority") {
  std::vector<std::string> reconciled;
  ControllerOnFakes world([&](kube::Key key, Logger) -> Task<Outcome> {
    reconciled.push_back(key.name);
    co_return Outcome::done();
  });
  auto& informer = world.cache.of(memcacheds());
  informer.objects.emplace(kube::Key("default", "known"), memcached("known"));
  world.add("known");
  world.add("gone");

  world.run([&]() -> awaitable<void> {
    world.add("new");
    co_await world.pass(1s);
  });

  CHECK(reconciled == std::vector<std::string>{"new", "known"});
}

TEST_CASE("a controller that was never started can be stopped") {
  ControllerOnFakes world([](kube::Key, Logger) -> Task<Outcome> { co_return Outcome::done(); });

  world.loop.run(world.runnable->stop());

  CHECK(world.lines.entries.empty());
  CHECK(world.runnable->name() == "controller memcached");
}
