// Sending Events to the API server: bodies, both groups, retries, and the end of the program.
#include "keelson/detail/controller/event_recorder.hpp"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cstdio>

#include "keelson/json/value.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"
#include "test/unit/controller/fakes.hpp"

namespace {

using namespace keelson;
using namespace keelson::testing;
using namespace std::chrono_literals;
using boost::asio::awaitable;
using Type = controller::EventRecorder::Type;

struct RecorderOnFakeClient {
  explicit RecorderOnFakeClient(std::string c = "memcached-controller") : component(std::move(c)) {}

  void record(const kube::Object& about, const std::string& reason, const std::string& note = "Created pod x") {
    recorder->record(memcacheds(), about, Type::kNormal, reason, "Create", note);
  }
  // Starts the recorder, runs `steps`, stops it.
  void run(std::function<awaitable<void>()> steps) {
    loop.run(sandbox::loop::TestLoop::Body([&]() -> awaitable<void> {
      auto started = co_await recorder->start();
      CHECK(started);
      co_await steps();
      co_await recorder->stop();
    }));
  }
  awaitable<void> pass(async::Duration time) { return async::sleep_for(loop.clock(), time); }
  std::vector<std::string> groups() const {
    std::vector<std::string> all;
    for (const auto& request : client.requests) all.push_back(request.resource.api_version());
    return all;
  }

  std::string component;
  sandbox::loop::TestLoop loop;
  base::Random random{1};
  FakeLog lines;
  FakeClient client;
  std::unique_ptr<controller::EventSender> recorder = controller::make_event_recorder(
      loop.executor(), loop.clock(), random, Logger(lines), client, {.component = component, .host = "h"});
};

using Groups = std::vector<std::string>;

}  // namespace

TEST_CASE("an Event is an events.k8s.io object with its note, its object and its reporting controller") {
  RecorderOnFakeClient world;

  world.run([&]() -> awaitable<void> {
    world.record(memcached("web"), "SuccessfulCreate");
    co_await world.pass(1s);
  });

  REQUIRE(world.client.requests.size() == 1);
  CHECK(world.client.requests[0].verb == kube::Verb::kCreate);
  CHECK(world.client.requests[0].key.ns == "default");
  auto now = static_cast<unsigned long long>(std::chrono::sys_days(std::chrono::year(2026) / 1 / 1).time_since_epoch() /
                                             std::chrono::nanoseconds(1));
  std::array<char, 32> hex{};
  std::snprintf(hex.data(), hex.size(), "%llx", now);
  CHECK(world.client.requests[0].body ==
        R"({"apiVersion":"events.k8s.io/v1","kind":"Event","metadata":{"name":"web.)" + std::string(hex.data()) +
            R"(","namespace":"default"},"eventTime":"2026-01-01T00:00:00.000000Z",)"
            R"("reportingController":"memcached-controller","reportingInstance":"memcached-controller-h",)"
            R"("type":"Normal","reason":"SuccessfulCreate","action":"Create","note":"Created pod x",)"
            R"("regarding":{"apiVersion":"cache.example.com/v1alpha1","kind":"Memcached","namespace":"default",)"
            R"("name":"web","uid":"u-1","resourceVersion":"7"}})");
}

TEST_CASE("two Events about one object at the same time have different names") {
  RecorderOnFakeClient world;

  world.run([&]() -> awaitable<void> {
    world.record(memcached("web"), "One");
    world.record(memcached("web"), "Two");
    co_await world.pass(1s);
  });

  REQUIRE(world.client.requests.size() == 2);
  auto name = [&](std::size_t i) {
    return json::Document::parse(world.client.requests[i].body)->root().at({"metadata", "name"}).text();
  };
  CHECK(name(0) != name(1));
}

TEST_CASE("a repeated Event is sent as a patch with a series") {
  RecorderOnFakeClient world;

  world.run([&]() -> awaitable<void> {
    world.record(memcached("web"), "Failed");
    co_await world.pass(1s);
    world.record(memcached("web"), "Failed");
    co_await world.pass(1s);
  });

  REQUIRE(world.client.requests.size() == 2);
  CHECK(world.client.requests[1].verb == kube::Verb::kPatch);
  CHECK(world.client.requests[1].key.name.starts_with("web."));
  CHECK(world.client.requests[1].body == R"({"series":{"count":2,"lastObservedTime":"2026-01-01T00:00:01.000000Z"}})");
}

TEST_CASE("Events about cluster-scoped objects go to the namespace default, and long notes are cut") {
  RecorderOnFakeClient world;

  world.run([&]() -> awaitable<void> {
    world.record(object(R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"n","uid":"u"}})"), "R",
                 std::string(5000, 'x'));
    co_await world.pass(1s);
  });

  auto body = json::Document::parse(world.client.requests.at(0).body);
  CHECK(body->root().at({"metadata", "namespace"}).string() == "default");
  CHECK(body->root().find("note").string()->size() == limits::kEventNoteBytes);
}

TEST_CASE("if events.k8s.io is forbidden or missing, the core group is used from then on") {
  for (int code : {403, 404}) {
    RecorderOnFakeClient world;
    auto usual = world.client.answer;
    world.client.answer = [&](const kube::ApiRequest& request) {
      if (request.resource.group == "events.k8s.io") return Result<kube::ApiReply>(status_error(code, "No"));
      return usual(request);
    };

    world.run([&]() -> awaitable<void> {
      world.record(memcached("web"), "One");
      co_await world.pass(1s);
      world.record(memcached("web"), "Two");
      co_await world.pass(1s);
      world.record(memcached("web"), "Two");
      co_await world.pass(1s);
    });

    CHECK(world.groups() == Groups{"events.k8s.io/v1", "v1", "v1", "v1"});
    auto body = json::Document::parse(world.client.requests[1].body);
    CHECK(body->root().at({"involvedObject", "name"}).string() == "web");
    CHECK(body->root().find("message").string() == "Created pod x");
    CHECK(body->root().find("firstTimestamp").string() == "2026-01-01T00:00:00Z");
    CHECK(body->root().at({"source", "component"}).string() == "memcached-controller");
    CHECK(json::Document::parse(world.client.requests[3].body)->root().find("count").integer() == 2);
  }
}

TEST_CASE("a rejection by a namespace that is being deleted does not change the API group of Events") {
  RecorderOnFakeClient world;
  auto usual = world.client.answer;
  world.client.answer = [](const kube::ApiRequest&) { return status_error(403, "Forbidden"); };

  world.run([&]() -> awaitable<void> {
    world.record(memcached("web"), "One");
    co_await world.pass(1s);
    world.client.answer = usual;
    world.record(memcached("web"), "Two");
    co_await world.pass(1s);
  });

  CHECK(world.groups() == Groups{"events.k8s.io/v1", "v1", "events.k8s.io/v1"});
}

TEST_CASE("an Event that has expired on the server is created again by its repetition") {
  RecorderOnFakeClient world;
  auto usual = world.client.answer;

  world.run([&]() -> awaitable<void> {
    world.record(memcached("web"), "One");
    co_await world.pass(1s);
    world.client.answer = [&](const kube::ApiRequest& request) {
      if (request.verb == kube::Verb::kPatch) return Result<kube::ApiReply>(status_error(404, "NotFound"));
      return usual(request);
    };
    world.record(memcached("web"), "One");
    co_await world.pass(1s);
  });

  REQUIRE(world.client.requests.size() == 3);
  CHECK(world.client.requests[2].verb == kube::Verb::kCreate);
  auto body = json::Document::parse(world.client.requests[2].body);
  CHECK(body->root().at({"series", "count"}).integer() == 2);
}

TEST_CASE("an Event is sent 12 times after connection errors, and once after a rejection") {
  RecorderOnFakeClient world;
  world.client.answer = [](const kube::ApiRequest&) { return transport_error("connection refused"); };

  world.run([&]() -> awaitable<void> {
    world.record(memcached("web"), "One");
    co_await world.pass(1h);
    CHECK(world.client.requests.size() == 12);

    world.client.answer = [](const kube::ApiRequest&) { return status_error(422, "Invalid"); };
    world.record(memcached("web"), "Two");
    co_await world.pass(1h);
  });

  CHECK(world.client.requests.size() == 13);
  CHECK(world.lines.messages(0).empty());
}

TEST_CASE("stop sends each queued Event once and does not wait for retries") {
  RecorderOnFakeClient world;
  world.client.answer = [](const kube::ApiRequest&) { return transport_error("connection refused"); };
  async::TimePoint stopped_at;

  world.run([&]() -> awaitable<void> {
    world.record(memcached("web"), "One");
    co_await world.pass(1ms);
    for (int i = 0; i < 5; ++i) world.record(memcached("web"), "R" + std::to_string(i));
    stopped_at = world.loop.clock().now();
  });

  CHECK(world.client.requests.size() == 7);
  CHECK(world.loop.clock().now() == stopped_at);
}

TEST_CASE("Events that are recorded before the start wait for it, and those after the stop are dropped") {
  RecorderOnFakeClient world;
  world.record(memcached("web"), "Early");

  world.run([&]() -> awaitable<void> { co_await world.pass(1s); });
  world.record(memcached("web"), "Late");
  world.loop.poll();

  CHECK(world.client.requests.size() == 1);
}

TEST_CASE("a component that is not a valid reporting controller is replaced") {
  struct Row {
    std::string component;
    std::string reported;
  };
  const std::vector<Row> rows{
      {"memcached-operator", "memcached-operator"},
      {"example.com/Memcached_operator.v1", "example.com/Memcached_operator.v1"},
      {std::string(63, 'a'), std::string(63, 'a')},
      {std::string(64, 'a'), "keelson"},
      {"", "keelson"},
      {"my operator", "keelson"},
      {"-operator", "keelson"},
      {"operator.", "keelson"},
      {"Example.com/operator", "keelson"},
      {"example..com/operator", "keelson"},
      {"/operator", "keelson"},
      {"example.com/", "keelson"},
      {"a/b/c", "keelson"},
      {std::string(254, 'a') + "/operator", "keelson"},
  };

  for (const auto& row : rows) {
    RecorderOnFakeClient world(row.component);
    world.run([&]() -> awaitable<void> {
      world.record(memcached("web"), "SuccessfulCreate");
      co_await world.pass(1s);
    });

    REQUIRE(world.client.requests.size() == 1);
    auto body = json::Document::parse(world.client.requests[0].body);
    INFO(row.component);
    CHECK(body->root().find("reportingController").string() == row.reported);
    CHECK(body->root().find("reportingInstance").string() == row.reported + "-h");
  }
}
