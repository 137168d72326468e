// A controller from its start to its stop: workers, results, metrics and log lines.
#include "keelson/controller/controller.hpp"

#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>
#include <catch2/catch_test_macros.hpp>
#include <stdexcept>

#include "keelson/base/go_text.hpp"
#include "test/support/test_loop.hpp"
#include "test/unit/controller/fakes.hpp"

namespace {

using namespace keelson;
using namespace keelson::test;
using namespace std::chrono_literals;
using boost::asio::awaitable;
using controller::Outcome;

class NoEvents final : public controller::EventRecorder {
 public:
  void record(const kube::Resource&, const kube::Object&, Type, std::string, std::string, std::string) override {}
};

using Body = std::function<awaitable<Result<Outcome>>(kube::Key, Logger)>;

class BodyReconciler final : public controller::Reconciler {
 public:
  explicit BodyReconciler(Body& body) : body_(body) {}
  awaitable<Result<Outcome>> reconcile(kube::Key key, Logger log) override { return body_(key, log); }

 private:
  Body& body_;
};

struct World {
  explicit World(Body b, int workers = 1, controller::Predicate predicate = {}) : body(std::move(b)) {
    kube::Kind kind;
    kind.resource = memcacheds();
    definition.emplace(controller::define(kind));
    definition->owns(kube::deployments());
    if (predicate) definition->filtered_by(std::move(predicate));
    definition->reconciled_by([this](controller::Context&) { return std::make_unique<BodyReconciler>(body); });
    controller::ControllerOptions options;
    options.max_concurrent_reconciles = workers;
    runnable = controller::make_controller(loop.executor(), context, *definition, options);
  }

  // Starts the controller, runs `steps`, stops it.
  void run(std::function<awaitable<void>()> steps) {
    auto whole = [&]() -> awaitable<void> {
      auto started = co_await runnable->start();
      CHECK(started);
      co_await steps();
      co_await runnable->stop();
    };
    loop.run(TestLoop::Body(whole));
  }

  awaitable<void> pass(async::Duration time) { return async::sleep_for(loop.clock(), time); }
  void add(const std::string& name) { cache.of(memcacheds()).send(added(memcached(name))); }

  bool exports(const std::string& line) {
    auto text = "\n" + registry.text();
    INFO(text);
    return text.find("\n" + line + "\n") != std::string::npos;
  }
  bool counted(const std::string& series, int value) {
    return exports("controller_runtime_" + series + " " + std::to_string(value));
  }

  TestLoop loop;
  base::Random random{1};
  FakeLog lines;
  FakeClient client;
  FakeCache cache;
  NoEvents events;
  metrics::Registry registry;
  controller::Context context{loop.clock(), random, Logger(lines), client, cache, events, registry, nullptr};
  Body body;
  std::optional<controller::Definition> definition;
  std::unique_ptr<async::Runnable> runnable;
};

// A reconciler that answers in turn, the last for ever; and the times at which it was called.
struct Script {
  std::vector<std::function<Result<Outcome>()>> answers;
  std::vector<async::TimePoint> calls;
  std::size_t next = 0;

  Body body(World*& world) {
    return [this, &world](kube::Key, Logger) { return step(*this, *world); };
  }
  static awaitable<Result<Outcome>> step(Script& script, World& world) {
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

// Runs a controller whose reconciler answers so, with one object added, for a minute.
struct Scripted {
  explicit Scripted(std::vector<std::function<Result<Outcome>()>> answers) : script{std::move(answers), {}, 0} {
    world = owned.get();
    owned->run([this]() -> awaitable<void> {
      world->add("a");
      co_await world->pass(1min);
    });
  }
  Script script;
  World* world = nullptr;
  std::unique_ptr<World> owned = std::make_unique<World>(script.body(world));
};

Result<Outcome> ok() { return Outcome::done(); }
Result<Outcome> fails() { return transport("connection refused"); }

using Gaps = std::vector<async::Duration>;

}  // namespace

TEST_CASE("success is counted and forgotten") {
  Scripted run({fails, ok, fails, ok});
  CHECK(run.script.calls.size() == 2);

  CHECK(run.script.gaps() == Gaps{5ms});
  CHECK(run.world->counted(R"(reconcile_total{controller="memcached",result="success"})", 1));
  CHECK(run.world->counted(R"(reconcile_total{controller="memcached",result="error"})", 1));
  CHECK(run.world->counted(R"(reconcile_errors_total{controller="memcached"})", 1));
  CHECK(run.world->counted(R"(reconcile_time_seconds_count{controller="memcached"})", 2));
}

TEST_CASE("errors come again with a growing delay") {
  Scripted run({fails, fails, fails, fails, ok});

  CHECK(run.script.gaps() == Gaps{5ms, 10ms, 20ms, 40ms});
}

TEST_CASE("requeue_after forgets the failures and comes back at its time") {
  auto later = []() -> Result<Outcome> { return Outcome::requeue_after(10s); };
  Scripted run({fails, fails, later, fails, ok});

  CHECK(run.script.gaps() == Gaps{5ms, 10ms, 10s, 5ms});
  CHECK(run.world->counted(R"(reconcile_total{controller="memcached",result="requeue_after"})", 1));
  CHECK(run.world->lines.find("Reconcile done, requeueing after 10s")->verbosity == 5);
}

TEST_CASE("requeue_after zero comes again at once") {
  auto at_once = []() -> Result<Outcome> { return Outcome::requeue_after(0s); };
  Scripted run({at_once, ok});

  CHECK(run.script.gaps() == Gaps{0s});
  CHECK(run.world->counted(R"(reconcile_total{controller="memcached",result="requeue_after"})", 1));
}

TEST_CASE("a terminal error is not tried again and leaves the failure count as it is") {
  auto ends = []() -> Result<Outcome> { return terminal(invalid("no such image")); };
  World* world = nullptr;
  Script script{{fails, fails, ends, fails, ok}, {}, 0};
  World owned(script.body(world));
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

TEST_CASE("an exception is a panic: counted, retried, and worded as Go's") {
  auto throws = []() -> Result<Outcome> { throw std::runtime_error("index out of range"); };
  Scripted run({throws, ok});

  CHECK(run.script.calls.size() == 2);
  CHECK(run.world->counted(R"(reconcile_panics_total{controller="memcached"})", 1));
  CHECK(run.world->counted(R"(reconcile_total{controller="memcached",result="error"})", 1));
  CHECK(run.world->lines.find("Reconciler error")->fields.at("error") == "panic: index out of range [recovered]");
}

TEST_CASE("an exception of a watch handler is a panic too: logged, counted, and the watch goes on") {
  Script script{{ok}, {}, 0};
  World* world = nullptr;
  auto trips = [](const cache::Event& event) -> bool {
    if (event.object().name() == "bad") throw std::runtime_error("index out of range");
    return true;
  };
  World owned(script.body(world), 1, trips);
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

TEST_CASE("an aborted operation that nobody cancelled does not end the worker") {
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

TEST_CASE("each reconcile has a logger that says what, which and why") {
  std::string key;
  auto body = [&](kube::Key k, Logger log) -> awaitable<Result<Outcome>> {
    key = k.text();
    log.info("here");
    co_return Outcome::done();
  };
  World world(body);

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

TEST_CASE("start and stop log controller-runtime's lines in its order") {
  World world([](kube::Key, Logger) -> awaitable<Result<Outcome>> { co_return Outcome::done(); });

  world.run([&]() -> awaitable<void> { co_await world.pass(1s); });

  CHECK(world.lines.messages() ==
        std::vector<std::string>{"Starting EventSource", "Starting EventSource", "Starting Controller",
                                 "Starting workers", "Shutdown signal received, waiting for all workers to finish",
                                 "All workers finished"});
  CHECK(world.lines.find("Starting EventSource")->fields.at("source") == R"("kind source: *v1alpha1.Memcached")");
  CHECK(world.lines.find("Starting workers")->fields.at("worker count") == "1");
}

TEST_CASE("series are there from the start, and not before") {
  World world([](kube::Key, Logger) -> awaitable<Result<Outcome>> { co_return Outcome::done(); }, 3);
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

TEST_CASE("workers run different keys at once and one key never twice") {
  int running = 0;
  int most = 0;
  std::map<std::string, int> per_key;
  World* world = nullptr;
  auto body = [&](kube::Key key, Logger) -> awaitable<Result<Outcome>> {
    most = std::max(most, ++running);
    CHECK(++per_key[key.name] == 1);
    co_await world->pass(1s);
    --per_key[key.name];
    --running;
    co_return Outcome::done();
  };
  World owned(body, 3);
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

TEST_CASE("workers wait for the caches, and say what is missing") {
  int calls = 0;
  World world([&](kube::Key, Logger) -> awaitable<Result<Outcome>> {
    ++calls;
    co_return Outcome::done();
  });
  auto& deployments = world.cache.of(kube::deployments());
  deployments.synced = false;
  deployments.in_trouble = "deployments.apps is forbidden";

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

TEST_CASE("a controller that never synced stops at once") {
  World world([](kube::Key, Logger) -> awaitable<Result<Outcome>> { co_return Outcome::done(); });
  world.cache.of(memcacheds()).synced = false;
  auto begun = world.loop.clock().now();

  world.run([&]() -> awaitable<void> { co_await test::yield(); });

  CHECK(world.loop.clock().now() == begun);
}

TEST_CASE("stop lets a running reconcile finish and drops what is queued") {
  std::vector<std::string> finished;
  World* world = nullptr;
  auto body = [&](kube::Key key, Logger) -> awaitable<Result<Outcome>> {
    co_await world->pass(20s);
    finished.push_back(key.name);
    co_return fails();
  };
  World owned(body);
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

TEST_CASE("abort unwinds a running reconcile and is no error") {
  bool unwound = false;
  World* world = nullptr;
  struct Guard {
    bool& flag;
    ~Guard() { flag = true; }
  };
  auto body = [&](kube::Key, Logger) -> awaitable<Result<Outcome>> {
    Guard guard{unwound};
    co_await world->pass(1h);
    co_return Outcome::done();
  };
  World owned(body);
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

TEST_CASE("a standby queues nothing, and a start queues what its caches know, behind what changes") {
  std::vector<std::string> reconciled;
  World world([&](kube::Key key, Logger) -> awaitable<Result<Outcome>> {
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
  World world([](kube::Key, Logger) -> awaitable<Result<Outcome>> { co_return Outcome::done(); });

  world.loop.run(world.runnable->stop());

  CHECK(world.lines.entries.empty());
  CHECK(world.runnable->name() == "controller memcached");
}

TEST_CASE("an object of the first list that fails keeps its low priority") {
  Script script{{fails, ok}, {}, 0};
  World* world = nullptr;
  World owned(script.body(world));
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
