// The effects of a reconcile: results, retries, panics, metrics and log lines.
#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <stdexcept>

#include "keelson/detail/base/go_text.hpp"
#include "keelson/json/writer.hpp"
#include "test/unit/controller/controller_on_fakes.hpp"

namespace {

using namespace keelson;
using namespace keelson::testing;
using namespace std::chrono_literals;

// A reconciler that returns the given results in turn, the last one forever, and records the times of its calls.
struct Script {
  std::vector<std::function<Result<Outcome>()>> answers;
  std::vector<async::TimePoint> calls;
  std::size_t next = 0;

  Body body(ControllerOnFakes*& world) {
    return [this, &world](kube::Key, Logger) { return step(*this, *world); };
  }
  static Task<Outcome> step(Script& script, ControllerOnFakes& world) {
    script.calls.push_back(world.loop.clock().now());
    auto place = std::min(script.next++, script.answers.size() - 1);
    co_return script.answers[place]();
  }
  // Seconds between the calls.
  std::vector<async::Duration> gaps() const {
    std::vector<async::Duration> all;
    for (std::size_t i = 1; i < calls.size(); ++i) all.push_back(calls[i] - calls[i - 1]);
    return all;
  }
};

// Runs a controller with these results and a single added object for a minute.
struct Scripted {
  explicit Scripted(std::vector<std::function<Result<Outcome>()>> answers) : script{std::move(answers), {}, 0} {
    world = owned.get();
    owned->run([this]() -> awaitable<void> {
      world->add("a");
      co_await world->pass(1min);
    });
  }
  Script script;
  ControllerOnFakes* world = nullptr;
  std::unique_ptr<ControllerOnFakes> owned = std::make_unique<ControllerOnFakes>(script.body(world));
};

Result<Outcome> ok() { return Outcome::done(); }
Result<Outcome> fails() { return transport_error("connection refused"); }

Task<Outcome> rejects_a(std::vector<std::string>& order, std::string name) {
  order.push_back(name);
  if (name != "a") co_return Outcome::done();
  auto error = status_error(429, "TooManyRequests");
  error.retry_after = 60s;
  co_return error;
}

using Gaps = std::vector<async::Duration>;

}  // namespace

TEST_CASE("a successful reconcile is counted and resets the backoff") {
  Scripted run({fails, ok, fails, ok});
  CHECK(run.script.calls.size() == 2);

  CHECK(run.script.gaps() == Gaps{5ms});
  CHECK(run.world->counted(R"(reconcile_total{controller="memcached",result="success"})", 1));
  CHECK(run.world->counted(R"(reconcile_total{controller="memcached",result="error"})", 1));
  CHECK(run.world->counted(R"(reconcile_errors_total{controller="memcached"})", 1));
  CHECK(run.world->counted(R"(reconcile_time_seconds_count{controller="memcached"})", 2));
}

TEST_CASE("the status of a controller names its failing keys with their retries, until they succeed") {
  Script script{{fails, fails, fails, ok}, {}, 0};
  ControllerOnFakes* world = nullptr;
  ControllerOnFakes owned(script.body(world));
  world = &owned;
  CHECK_FALSE(owned.runnable->status().is_running);

  owned.run([&]() -> awaitable<void> {
    owned.add("a");
    co_await owned.pass(20ms);
    const auto failing = owned.runnable->status();
    CHECK(failing.name == "memcached");
    CHECK(failing.is_running);
    CHECK(failing.workers == 1);
    CHECK(failing.queue.failing == 1);
    REQUIRE(failing.failing.size() == 1);
    CHECK(failing.failing.front().key == "default/a");
    CHECK(failing.failing.front().error == "connection refused");
    CHECK(failing.failing.front().retries == 3);
    REQUIRE(failing.slowest.size() == 1);
    CHECK(failing.slowest.front().key == "default/a");
    co_await owned.pass(1s);
    const auto healthy = owned.runnable->status();
    CHECK(healthy.queue.failing == 0);
    CHECK(healthy.failing.empty());
  });
}

TEST_CASE("K2, P6: a reconcile that fails is retried with a growing delay") {
  Scripted run({fails, fails, fails, fails, ok});

  CHECK(run.script.gaps() == Gaps{5ms, 10ms, 20ms, 40ms});
}

TEST_CASE(
    "a new generation is reconciled immediately, and its first retry is soon, although the key had failed often") {
  Script script{{fails}, {}, 0};
  ControllerOnFakes* world = nullptr;
  ControllerOnFakes owned(script.body(world));
  world = &owned;

  owned.run([&]() -> awaitable<void> {
    owned.add("a");
    co_await owned.pass(10min);
    const auto failures = script.calls.size();
    owned.cache.of(memcacheds()).send(updated(memcached("a"), memcached("a", "u-1", 2)));
    co_await owned.pass(1s);
    CHECK(script.calls.size() - failures == 8);  // after 0, 5, 15, 35, 75, 155, 315 and 635 ms
  });
}

TEST_CASE("a reconcile-at in the future is reconciled at its time, although earlier reconciles have taken the key") {
  Script script{{ok}, {}, 0};
  ControllerOnFakes* world = nullptr;
  ControllerOnFakes owned(script.body(world));
  world = &owned;
  const auto requested = object(
      R"({"apiVersion":"cache.example.com/v1alpha1","kind":"Memcached","metadata":{"name":"a","namespace":"default",)"
      R"("annotations":{"keelson.dev/reconcile-at":"2026-01-01T00:10:00Z"}}})");
  owned.cache.of(memcacheds()).objects.insert_or_assign(requested.key(), requested);

  owned.run([&]() -> awaitable<void> {
    co_await owned.pass(1min);
    owned.add("a");
    co_await owned.pass(1h);
  });

  CHECK(script.gaps() == Gaps{1min, 9min + 100ms});
  CHECK(owned.lines.find("Reconciling") != nullptr);
  CHECK(owned.lines.entries.back().message == "All workers finished");
}

TEST_CASE("a rejection with Retry-After is retried after that time, and counted as a failure") {
  auto busy = []() -> Result<Outcome> {
    auto error = status_error(429, "TooManyRequests");
    error.retry_after = 10s;
    return error;
  };
  auto shortly = []() -> Result<Outcome> {
    auto error = status_error(429, "TooManyRequests");
    error.retry_after = 0s;
    return error;
  };
  Scripted run({fails, busy, shortly, fails, ok});

  CHECK(run.script.gaps() == Gaps{5ms, 10s, 20ms, 40ms});
}

TEST_CASE("a rejection of one object does not delay other objects") {
  std::vector<std::string> order;
  ControllerOnFakes world([&order](kube::Key key, Logger) { return rejects_a(order, key.name); });

  world.run([&]() -> awaitable<void> {
    for (const auto* name : {"a", "b", "c"}) world.add(name);
    co_await world.pass(59s);
  });

  CHECK(order == std::vector<std::string>{"a", "b", "c"});
}

TEST_CASE("requeue_after resets the backoff and reconciles after its delay") {
  auto later = []() -> Result<Outcome> { return Outcome::requeue_after(10s); };
  Scripted run({fails, fails, later, fails, ok});

  CHECK(run.script.gaps() == Gaps{5ms, 10ms, 10s, 5ms});
  CHECK(run.world->counted(R"(reconcile_total{controller="memcached",result="requeue_after"})", 1));
  CHECK(run.world->lines.find("Reconcile done, requeueing after 10s")->verbosity == 5);
}

TEST_CASE("requeue_after zero reconciles again immediately") {
  auto at_once = []() -> Result<Outcome> { return Outcome::requeue_after(0s); };
  Scripted run({at_once, ok});

  CHECK(run.script.gaps() == Gaps{0s});
  CHECK(run.world->counted(R"(reconcile_total{controller="memcached",result="requeue_after"})", 1));
}

TEST_CASE("a terminal error is not retried and does not change the failure count") {
  auto ends = []() -> Result<Outcome> { return terminal_error(invalid_error("no such image")); };
  ControllerOnFakes* world = nullptr;
  Script script{{fails, fails, ends, fails, ok}, {}, 0};
  ControllerOnFakes owned(script.body(world));
  world = &owned;

  owned.run([&]() -> awaitable<void> {
    owned.add("a");
    co_await owned.pass(1min);
    CHECK(script.calls.size() == 3);
    owned.add("a");
    co_await owned.pass(1min);
  });

  CHECK(script.gaps().back() == 20ms);
  CHECK(owned.counted(R"(terminal_reconcile_errors_total{controller="memcached"})", 1));
  CHECK(owned.counted(R"(reconcile_errors_total{controller="memcached"})", 4));
  auto line = owned.lines.find("Reconciler error");
  CHECK(line->fields.at("error") == "connection refused");
}

TEST_CASE("an exception is counted as a panic, retried, and reported with Go's text") {
  auto throws = []() -> Result<Outcome> { throw std::runtime_error("index out of range"); };
  Scripted run({throws, ok});

  CHECK(run.script.calls.size() == 2);
  CHECK(run.world->counted(R"(reconcile_panics_total{controller="memcached"})", 1));
  CHECK(run.world->counted(R"(reconcile_total{controller="memcached",result="error"})", 1));
  CHECK(run.world->lines.find("Reconciler error")->fields.at("error") == "panic: index out of range [recovered]");
}

TEST_CASE("unbalanced JSON fails the reconcile, not the process, and the error has the reason") {
  auto unbalanced = []() -> Result<Outcome> {
    json::Writer writer;
    writer.begin_object().key("spec");
    return terminal_error(invalid_error(std::move(writer).take()));
  };
  Scripted run({unbalanced, ok});

  CHECK(run.script.calls.size() == 2);
  CHECK(run.world->lines.find("Reconciler error")->fields.at("error") ==
        "panic: json::Writer: take(): an object or array is still open (after 8 bytes, 1 levels deep) [recovered]");
}

TEST_CASE("a read of a kind that is not declared is an error that names the controller and the fix") {
  ControllerOnFakes world([](kube::Key, Logger) -> Task<Outcome> { co_return Outcome::done(); });
  auto cache = cache::make_cache(world.loop.executor(), world.loop.clock(), world.random, Logger(world.lines),
                                 world.client, world.registry, {});
  controller::Context context{world.loop.clock(), world.random, Logger(world.lines), world.client, *cache, world.events,
                              world.registry,     nullptr};
  context.definition = &*world.definition;

  CHECK_THROWS_WITH(
      context.informer(kube::config_maps()),
      "controller memcached reads configmaps and does not declare it: add .owns<…>(), .watches<…>(map) or "
      ".also_reads<…>() for it to the definition");
}

TEST_CASE("a definition without a reconciler is an error that names the controller and the fix") {
  ControllerOnFakes world([](kube::Key, Logger) -> Task<Outcome> { co_return Outcome::done(); });
  kube::Kind kind;
  kind.resource = memcacheds();
  auto none = controller::define(kind);
  auto null = controller::define(kind).reconciled_by([](controller::Context&) { return nullptr; });

  for (const auto* definition : {&none, &null}) {
    CHECK_THROWS_WITH(controller::make_controller(world.loop.executor(), world.context, *definition, {}),
                      "controller memcached has no reconciler: call .reconciled_by(…) with a function that makes one");
  }
}

TEST_CASE("an exception of a watch handler is logged and counted as a panic, and the watch continues") {
  Script script{{ok}, {}, 0};
  ControllerOnFakes* world = nullptr;
  auto trips = [](const cache::Event& event) -> bool {
    if (event.object().name() == "bad") throw std::runtime_error("index out of range");
    return true;
  };
  ControllerOnFakes owned(script.body(world), 1, trips);
  world = &owned;

  owned.run([&]() -> awaitable<void> {
    owned.add("bad");
    owned.add("good");
    co_await owned.pass(1s);
  });

  CHECK(script.calls.size() == 1);
  CHECK(owned.counted(R"(reconcile_panics_total{controller="memcached"})", 1));
  const auto* line = owned.lines.find("Observed a panic in a watch handler");
  REQUIRE(line != nullptr);
  CHECK(line->level == LogSink::Level::kError);
  CHECK(line->fields.at("source") == R"("kind source: *v1alpha1.Memcached")");
  CHECK(line->fields.at("object") == R"("default/bad")");
  CHECK(line->fields.at("error") == "panic: index out of range [recovered]");
}

TEST_CASE("an aborted operation without a cancellation does not end the worker") {
  auto aborts = []() -> Result<Outcome> { throw boost::system::system_error(boost::asio::error::operation_aborted); };
  Scripted run({aborts, ok});

  CHECK(run.script.calls.size() == 2);
}

TEST_CASE("a conflict is counted as an error and logged at V(1)") {
  auto conflict = []() -> Result<Outcome> { return status_error(409, "Conflict"); };
  Scripted run({conflict, ok});

  CHECK(run.world->counted(R"(reconcile_total{controller="memcached",result="error"})", 1));
  auto line = run.world->lines.find("Reconciler error");
  CHECK(line->level == LogSink::Level::kDebug);
  CHECK(line->verbosity == 1);
}

TEST_CASE("each reconcile has a logger with controller, object, reconcileID and reason") {
  std::string key;
  auto body = [&](kube::Key k, Logger log) -> Task<Outcome> {
    key = k.text();
    log.info("here");
    co_return Outcome::done();
  };
  ControllerOnFakes world(body);

  world.run([&]() -> awaitable<void> {
    world.add("a");
    world.cache.of(kube::deployments()).send(added(owned_deployment("a", "a")));
    co_await world.pass(1s);
  });

  CHECK(key == "default/a");
  auto fields = world.lines.find("here")->fields;
  CHECK(fields.at("controller") == R"("memcached")");
  CHECK(fields.at("controllerGroup") == R"("cache.example.com")");
  CHECK(fields.at("controllerKind") == R"("Memcached")");
  CHECK(fields.at("Memcached") == R"({"name":"a","namespace":"default"})");
  CHECK(fields.at("namespace") == R"("default")");
  CHECK(fields.at("name") == R"("a")");
  CHECK(fields.at("reconcileID").size() == 38);
  CHECK(fields.at("reason") == R"("Memcached added, Deployment added")");
}

TEST_CASE("workers reconcile different keys at the same time and never the same key") {
  int running = 0;
  int most = 0;
  std::map<std::string, int> per_key;
  ControllerOnFakes* world = nullptr;
  auto body = [&](kube::Key key, Logger) -> Task<Outcome> {
    most = std::max(most, ++running);
    CHECK(++per_key[key.name] == 1);
    co_await world->pass(1s);
    --per_key[key.name];
    --running;
    co_return Outcome::done();
  };
  ControllerOnFakes owned(body, 3);
  world = &owned;

  owned.run([&]() -> awaitable<void> {
    co_await owned.pass(1s);
    for (const char* name : {"a", "b", "a", "c", "d"}) owned.add(name);
    co_await owned.pass(500ms);
    CHECK(owned.counted(R"(active_workers{controller="memcached"})", 3));
    owned.add("a");
    co_await owned.pass(10s);
  });

  CHECK(most == 3);
  CHECK(owned.counted(R"(reconcile_total{controller="memcached",result="success"})", 5));
}

TEST_CASE("passes that wait for nothing leave the loop to others every few milliseconds") {
  const int workers = GENERATE(1, 4, 500);
  constexpr int kKeys = 1000;
  async::Duration since_turn{};
  async::Duration longest{};
  int passes = 0;
  std::optional<ControllerOnFakes> world;
  auto body = [&](const kube::Key&, const Logger&) -> Task<Outcome> {
    world->loop.clock().advance(100us);
    since_turn += 100us;
    ++passes;
    co_return Outcome::done();
  };
  world.emplace(body, workers);

  world->run([&]() -> awaitable<void> {
    for (int key = 0; key < kKeys; ++key) world->add("web-" + std::to_string(key));
    while (passes < kKeys) {
      co_await sandbox::loop::yield();
      longest = std::max(longest, std::exchange(since_turn, 0ns));
    }
  });

  CHECK(longest <= 3ms);
}

TEST_CASE("an object of the first list that fails keeps its low priority") {
  Script script{{fails, ok}, {}, 0};
  ControllerOnFakes* world = nullptr;
  ControllerOnFakes owned(script.body(world));
  world = &owned;

  owned.run([&]() -> awaitable<void> {
    auto first = added(memcached("a"));
    first.initial_list = true;
    owned.cache.of(memcacheds()).send(first);
    co_await owned.pass(1s);
  });

  CHECK(script.calls.size() == 2);
  CHECK(owned.exports(R"(workqueue_depth{controller="memcached",name="memcached",priority="-100"} 0)"));
  CHECK(owned.registry.text().find(R"(priority="0")") == std::string::npos);
}

TEST_CASE("controllers that select a kind differently each have the informer that they declared") {
  ControllerOnFakes world([](kube::Key, Logger) -> Task<Outcome> { co_return Outcome::done(); });
  auto cache = cache::make_cache(world.loop.executor(), world.loop.clock(), world.random, Logger(world.lines),
                                 world.client, world.registry, {});
  controller::Context shared{world.loop.clock(), world.random, Logger(world.lines), world.client, *cache, world.events,
                             world.registry,     nullptr};
  const auto selectors = {kube::Selector::equals({{"app", "a"}}), kube::Selector::equals({{"app", "b"}})};
  std::vector<std::unique_ptr<controller::Definition>> definitions;
  std::vector<std::unique_ptr<async::Runnable>> controllers;
  std::vector<controller::Context*> contexts;
  for (const auto& selector : selectors) {
    kube::Kind kind;
    kind.resource = memcacheds();
    kind.resource.kind += std::to_string(definitions.size());
    auto& definition = definitions.emplace_back(std::make_unique<controller::Definition>(kind));
    definition->owns(kube::pods(), {.labels = selector});
    definition->reconciled_by([&](controller::Context& context) {
      contexts.push_back(&context);
      return std::make_unique<BodyReconciler>(world.body);
    });
    controllers.push_back(controller::make_controller(world.loop.executor(), shared, *definition, {}));
  }

  world.loop.run([&]() -> awaitable<void> {
    for (auto& one : controllers) CHECK(co_await one->start());
    for (auto& one : controllers) co_await one->stop();
  });

  REQUIRE(contexts.size() == 2);
  std::size_t place = 0;
  for (const auto& selector : selectors) {
    CHECK(&contexts[place++]->informer(kube::pods()) == cache->find(kube::pods(), cache::Selection{selector}).value());
  }
}

TEST_CASE("a controller reads all objects of its own kind, although another controller watches a selection") {
  ControllerOnFakes world([](kube::Key, Logger) -> Task<Outcome> { co_return Outcome::done(); });
  auto cache = cache::make_cache(world.loop.executor(), world.loop.clock(), world.random, Logger(world.lines),
                                 world.client, world.registry, {});
  const auto selector = kube::Selector::equals({{"app", "a"}});
  auto& selected = cache->declare({.resource = memcacheds(), .labels = selector});
  auto& whole = cache->declare({.resource = memcacheds()});
  kube::Kind kind;
  kind.resource = memcacheds();
  controller::Definition definition(kind);
  controller::Context context{world.loop.clock(), world.random, Logger(world.lines), world.client, *cache, world.events,
                              world.registry,     nullptr};
  context.definition = &definition;

  CHECK(&context.informer(memcacheds()) == &whole);
  CHECK(&context.informer(memcacheds()) != &selected);
}
