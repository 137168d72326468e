#include "keelson/detail/tracing/tracer.hpp"

#include <catch2/catch_test_macros.hpp>

#include <utility>

#include "keelson/detail/sandbox/loop/recording_sink.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"
#include "test/support/scripted_http.hpp"

namespace keelson::tracing {

namespace {

using namespace std::chrono_literals;
namespace asio = boost::asio;

constexpr const char* kTarget = "/v1/traces";

Settings small_settings() {
  Settings settings;
  settings.origin = {false, "collector", "4318"};
  settings.target = kTarget;
  settings.headers = {{"x-tenant", "a"}};
  settings.queue_size = 4;
  settings.batch_size = 2;
  return settings;
}

struct TracerOnScript {
  explicit TracerOnScript(Settings settings = small_settings()) {
    auto owned = std::make_unique<testing::ScriptedHttpClient>(loop.clock());
    http = owned.get();
    tracer.emplace(loop.executor(), loop.clock(), random, Logger(log), registry, std::move(settings), std::move(owned));
  }

  void add(int spans) {
    for (int i = 0; i < spans; ++i) {
      Span span;
      span.context = tracer->new_trace();
      span.name = "reconcile";
      tracer->add(std::move(span));
    }
  }

  // Starts the tracer, runs `steps`, stops it. Returns the virtual time of the stop.
  async::Duration run(const std::function<asio::awaitable<void>()>& steps) {
    async::Duration stop_time{};
    auto whole = [&]() -> asio::awaitable<void> {
      auto started = co_await tracer->start();
      CHECK(started);
      co_await steps();
      const auto begun = loop.clock().now();
      co_await tracer->stop();
      stop_time = loop.clock().now() - begun;
    };
    loop.run(sandbox::loop::TestLoop::Body(whole));
    return stop_time;
  }
  asio::awaitable<void> pass(async::Duration time) { return async::sleep_for(loop.clock(), time); }

  double exported() { return registry.samples("keelson_trace_spans_exported_total").front().value; }
  double dropped(const std::string& reason) {
    for (const auto& sample : registry.samples("keelson_trace_spans_dropped_total")) {
      if (sample.labels.front() == reason) return sample.value;
    }
    return -1;
  }

  sandbox::loop::TestLoop loop;
  sandbox::loop::RecordingSink log;
  base::Random random{1};
  metrics::Registry registry;
  testing::ScriptedHttpClient* http = nullptr;
  std::optional<Tracer> tracer;
};

}  // namespace

TEST_CASE("a full batch is sent at once, and the rest after the schedule delay") {
  TracerOnScript world;
  world.http->always("POST", kTarget);

  world.run([&]() -> asio::awaitable<void> {
    world.add(3);
    co_await world.pass(100ms);
    CHECK(world.exported() == 3);
    world.add(1);
    co_await world.pass(4900ms);
    CHECK(world.exported() == 3);
    co_await world.pass(200ms);
    CHECK(world.exported() == 4);
  });

  CHECK(world.http->requests().size() == 3);
  const auto& request = world.http->requests().front();
  CHECK(net::header(request.headers, "content-type") == "application/json");
  CHECK(net::header(request.headers, "x-tenant") == "a");
  CHECK(request.body.starts_with(R"({"resourceSpans":[)"));
}

TEST_CASE("an idle tracer has no timer") {
  TracerOnScript world;
  world.run([&]() -> asio::awaitable<void> {
    co_await world.pass(1ms);
    CHECK(world.loop.clock().pending() == 0);
  });
}

TEST_CASE("a collector that asks for no delay gets the batch again after the backoff") {
  TracerOnScript world;
  world.http->always("POST", kTarget).replies(net::Response{503, {{"Retry-After", "0"}}, ""});

  world.run([&]() -> asio::awaitable<void> {
    world.add(2);
    co_await world.pass(31s);
    CHECK(world.dropped("unreachable") == 2);
  });

  CHECK(world.http->requests().size() >= 4);
  CHECK(world.http->requests().size() <= 10);
}

TEST_CASE("a batch is sent again after the collector's Retry-After, with the same spans") {
  TracerOnScript world;
  world.http->expect("POST", kTarget).replies(net::Response{503, {{"Retry-After", "7"}}, ""});
  world.http->expect("POST", kTarget).replies(200, "{}");

  world.run([&]() -> asio::awaitable<void> {
    world.add(2);
    co_await world.pass(6900ms);
    CHECK(world.http->requests().size() == 1);
    co_await world.pass(200ms);
  });

  world.http->verify();
  CHECK(world.http->requests()[0].body == world.http->requests()[1].body);
  CHECK(world.exported() == 2);
  CHECK(world.log.entries().empty());
}

TEST_CASE("a batch is dropped when retries have not helped within the export timeout, and the failure is logged once") {
  TracerOnScript world;
  world.http->always("POST", kTarget).fails(transport_error("connection refused"));

  world.run([&]() -> asio::awaitable<void> {
    world.add(4);
    co_await world.pass(31s);
    CHECK(world.dropped("unreachable") == 2);
    co_await world.pass(30s);
  });

  CHECK(world.dropped("unreachable") == 4);
  CHECK(world.http->requests().size() > 4);
  CHECK(world.http->requests().size() < 20);
  CHECK(world.log.count("Could not export trace spans; further failures are only counted") == 1);
}

TEST_CASE("a rejected batch is not sent again, and the next success is logged") {
  TracerOnScript world;
  world.http->expect("POST", kTarget).replies(400, "");
  world.http->expect("POST", kTarget).replies(200, R"({"partialSuccess":{"rejectedSpans":"1"}})");

  world.run([&]() -> asio::awaitable<void> {
    world.add(4);
    co_await world.pass(100ms);
  });

  world.http->verify();
  CHECK(world.dropped("rejected") == 3);
  CHECK(world.exported() == 1);
  CHECK(world.log.count("The OpenTelemetry collector accepts spans again") == 1);
}

TEST_CASE("spans that do not fit into the queue are dropped while the collector hangs") {
  TracerOnScript world;
  world.http->always("POST", kTarget).after(1h);

  const auto stop_time = world.run([&]() -> asio::awaitable<void> {
    world.add(2);
    co_await world.pass(1s);
    world.add(10);
    CHECK(world.dropped("queue_full") == 6);
  });

  CHECK(stop_time == Tracer::kFlushTime);
  CHECK(world.dropped("shutdown") == 6);
}

TEST_CASE("what is queued at the stop is sent without the schedule delay") {
  TracerOnScript world;
  world.http->always("POST", kTarget).after(20ms);

  const auto stop_time = world.run([&]() -> asio::awaitable<void> {
    world.add(1);
    co_return;
  });

  CHECK(stop_time == 20ms);
  CHECK(world.exported() == 1);
  CHECK(world.dropped("shutdown") == 0);
}

TEST_CASE("spans of traces that are not sampled are not sent") {
  auto settings = small_settings();
  settings.sampled_fraction = 0;
  TracerOnScript world(std::move(settings));

  world.run([&]() -> asio::awaitable<void> {
    world.add(3);
    co_await world.pass(1min);
  });

  CHECK(world.http->requests().empty());
  CHECK(world.dropped("queue_full") == 0);
}

TEST_CASE("a child belongs to the trace of its parent and has a span id of its own") {
  TracerOnScript world;
  const auto parent = world.tracer->new_trace();
  const auto child = world.tracer->new_child(parent);

  CHECK(trace_id(child) == trace_id(parent));
  CHECK(child.span != parent.span);
  CHECK(child.span != 0);
  CHECK(child.is_sampled);
}

}  // namespace keelson::tracing
