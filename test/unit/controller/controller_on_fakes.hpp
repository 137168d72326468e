// A controller whose reconciler is a function, over a cache and a client in memory, in virtual time.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "keelson/base/task.hpp"
#include "keelson/detail/controller/controller.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"
#include "test/unit/controller/fakes.hpp"

namespace keelson::testing {

using boost::asio::awaitable;
using controller::Outcome;

using Body = std::function<Task<Outcome>(kube::Key, Logger)>;

class BodyReconciler final : public controller::Reconciler {
 public:
  explicit BodyReconciler(Body& body) : body_(body) {}
  Task<Outcome> reconcile(controller::Attempt& attempt) override { return body_(attempt.key, attempt.log); }

 private:
  Body& body_;
};

struct ControllerOnFakes {
  explicit ControllerOnFakes(Body b, int workers = 1, controller::Predicate predicate = {}) : body(std::move(b)) {
    kube::Kind kind;
    kind.resource = memcacheds();
    definition.emplace(controller::define(kind));
    definition->owns(kube::deployments());
    if (predicate) definition->with_event_filter(std::move(predicate));
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
    loop.run(sandbox::loop::TestLoop::Body(whole));
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

  sandbox::loop::TestLoop loop;
  base::Random random{1};
  FakeLog lines;
  FakeClient client;
  FakeCache cache;
  NoEvents events;
  metrics::Registry registry;
  controller::Context context{loop.clock(), random, Logger(lines), client, cache, events, registry, nullptr};
  Body body;
  std::optional<controller::Definition> definition;
  std::unique_ptr<controller::Controller> runnable;
};

}  // namespace keelson::testing
