// The spans of reconciles, as the collector receives them, and the headers of their requests.
#include "src/controller/reconcile_spans.hpp"

#include <map>

#include "keelson/json/value.hpp"
#include "src/controller/controller.hpp"
#include "test/support/json_texts.hpp"
#include "test/support/scripted_http.hpp"
#include "test/unit/controller/controller_on_fakes.hpp"

namespace {

using namespace keelson;
using namespace keelson::testing;
using namespace std::chrono_literals;

// A reconciler that applies a Deployment and then reads it.
class TwoRequests final : public controller::Reconciler {
 public:
  TwoRequests(controller::Context& context, async::Duration pause) : context_(context), pause_(pause) {}
  Task<Outcome> reconcile(controller::Attempt& attempt) override {
    attempt.log.info("Working");
    auto applied = co_await kube::apply(attempt.client, kube::deployments(), attempt.key, kube::ApplyForm::kForce,
                                        R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"a"}})");
    if (!applied) co_return std::move(applied.error());
    co_await async::sleep_for(context_.clock, pause_);
    auto read = co_await kube::get(attempt.client, kube::deployments(), attempt.key);
    if (!read) co_return std::move(read.error());
    co_return Outcome::done();
  }

 private:
  controller::Context& context_;
  async::Duration pause_;
};

struct ExportedSpan {
  std::string id, parent, trace, error;
  std::map<std::string, std::string> attributes;
  std::vector<std::string> events;
  std::int64_t start = 0, end = 0;
};

struct TracedWorld {
  explicit TracedWorld(double fraction = 1, async::Duration pause = 0ms) {
    tracing::Settings settings;
    settings.target = "/v1/traces";
    settings.sampled_fraction = fraction;
    auto owned = std::make_unique<ScriptedHttpClient>(loop.clock());
    http = owned.get();
    http->always("POST", "/v1/traces");
    tracer.emplace(loop.executor(), loop.clock(), random, Logger(lines), registry, settings, std::move(owned));
    kube::Kind kind;
    kind.resource = memcacheds();
    definition.emplace(controller::define(kind));
    definition->owns(kube::deployments());
    definition->reconciled_by(
        [pause](controller::Context& made) { return std::make_unique<TwoRequests>(made, pause); });
    runnable.emplace(loop.executor(), context, *definition, controller::ControllerOptions(),
                     controller::SharedParts{&history, nullptr, &*tracer});
  }

  void reconcile_a() {
    auto whole = [&]() -> awaitable<void> {
      auto traced = co_await tracer->start();
      CHECK(traced);
      auto started = co_await runnable->start();
      CHECK(started);
      co_await async::sleep_for(loop.clock(), 1ms);
      cache.of(memcacheds()).send(added(memcached("a")));
      co_await async::sleep_for(loop.clock(), 1ms);
      runnable->abort();
      co_await runnable->stop();
      co_await tracer->stop();
    };
    loop.run(sandbox::loop::TestLoop::Body(whole));
  }

  std::map<std::string, ExportedSpan> spans() {
    std::map<std::string, ExportedSpan> all;
    for (const auto& request : http->requests()) {
      const auto document = json::Document::parse(request.body);
      REQUIRE(document);
      const auto scope = document->root().find("resourceSpans").item(0).find("scopeSpans").item(0);
      for (const auto span : scope.find("spans").items()) {
        ExportedSpan read;
        read.id = string_or_empty(span.find("spanId"));
        read.parent = string_or_empty(span.find("parentSpanId"));
        read.trace = string_or_empty(span.find("traceId"));
        read.error = string_or_empty(span.at({"status", "message"}));
        for (const auto each : span.find("attributes").items()) {
          const auto value = each.find("value");
          const auto text = value.find("stringValue").string();
          read.attributes[string_or_empty(each.find("key"))] =
              text ? std::string(*text) : "int " + string_or_empty(value.find("intValue"));
        }
        for (const auto each : span.find("events").items()) read.events.push_back(string_or_empty(each.find("name")));
        read.start = std::stoll(string_or_empty(span.find("startTimeUnixNano")));
        read.end = std::stoll(string_or_empty(span.find("endTimeUnixNano")));
        all[string_or_empty(span.find("name"))] = read;
      }
    }
    return all;
  }

  // Of request number `place` to the API server.
  std::string traceparent(std::size_t place) {
    return std::string(net::header(client.requests.at(place).headers, "traceparent"));
  }

  sandbox::loop::TestLoop loop;
  base::Random random{1};
  FakeLog lines;
  FakeClient client;
  FakeCache cache;
  NoEvents events;
  metrics::Registry registry;
  controller::Context context{loop.clock(), random, Logger(lines), client, cache, events, registry, nullptr};
  ScriptedHttpClient* http = nullptr;
  std::optional<tracing::Tracer> tracer;
  controller::ReconcileHistory history{1};
  std::optional<controller::Definition> definition;
  std::optional<controller::RunningController> runnable;
};

Result<kube::ApiReply> deployment_a(const kube::ApiRequest&) {
  return kube::ApiReply{200, std::string(owned_deployment("a", "a").json())};
}

Result<kube::ApiReply> forbids(const kube::ApiRequest&) {
  auto error = status_error(403, "Forbidden");
  error.server_text = "spec.secret: Invalid value: \"hunter2\"";
  return error;
}

}  // namespace

TEST_CASE("a reconcile is a trace: the queue, the run, and a span for each request") {
  TracedWorld world;
  world.client.answer = deployment_a;
  world.reconcile_a();
  auto spans = world.spans();

  REQUIRE(spans.size() == 5);
  auto& root = spans["reconcile Memcached"];
  auto& run = spans["run"];
  CHECK(root.parent.empty());
  CHECK(root.events == std::vector<std::string>{"Memcached added"});
  CHECK(root.attributes["k8s.namespace.name"] == "default");
  CHECK(root.attributes["keelson.object.name"] == "a");
  CHECK(root.attributes["keelson.reconcile.result"] == "success");
  CHECK(spans["queue"].parent == root.id);
  CHECK(run.parent == root.id);
  CHECK(spans["PATCH deployments"].parent == run.id);
  CHECK(spans["GET deployments"].parent == run.id);
  for (auto& [name, span] : spans) CHECK(span.trace == root.trace);
  CHECK(spans["PATCH deployments"].attributes ==
        std::map<std::string, std::string>{{"http.request.method", "PATCH"},
                                           {"http.response.status_code", "int 200"},
                                           {"k8s.namespace.name", "default"},
                                           {"keelson.resource", "deployments.apps"},
                                           {"url.path", "/apis/apps/v1/namespaces/default/deployments/a"}});
}

TEST_CASE("the requests of a reconcile have the traceparent of their span") {
  TracedWorld world;
  world.client.answer = deployment_a;
  world.reconcile_a();
  auto spans = world.spans();

  REQUIRE(world.client.requests.size() == 2);
  CHECK(world.traceparent(0) == "00-" + spans["run"].trace + "-" + spans["PATCH deployments"].id + "-01");
  CHECK(world.traceparent(1) == "00-" + spans["run"].trace + "-" + spans["GET deployments"].id + "-01");
}

TEST_CASE("the log lines of a reconcile have the identifiers of its trace") {
  TracedWorld world;
  world.client.answer = deployment_a;
  world.reconcile_a();
  auto root = world.spans()["reconcile Memcached"];

  const auto* line = world.lines.find("Working");
  REQUIRE(line != nullptr);
  CHECK(line->fields.at("trace_id") == "\"" + root.trace + "\"");
  CHECK(line->fields.at("reconcileID") == "\"" + root.attributes["keelson.reconcile.id"] + "\"");
}

TEST_CASE("a reconcile that is not sampled sends the header with flag 00 and no spans") {
  TracedWorld world(0);
  world.client.answer = deployment_a;
  world.reconcile_a();

  CHECK(world.traceparent(0).ends_with("-00"));
  CHECK(world.http->requests().empty());
}

TEST_CASE("a failed request marks its span and the reconcile, without the text of the server") {
  TracedWorld world;
  world.client.answer = forbids;
  world.reconcile_a();
  auto spans = world.spans();

  CHECK(spans["PATCH deployments"].attributes["error.type"] == "403");
  CHECK(spans["PATCH deployments"].attributes["http.response.status_code"] == "int 403");
  CHECK(spans["run"].error.find("deployments.apps") != std::string::npos);
  CHECK(spans["reconcile Memcached"].error == spans["run"].error);
  CHECK(spans["reconcile Memcached"].attributes["keelson.reconcile.result"] == "error");
  for (const auto& request : world.http->requests()) CHECK(request.body.find("hunter2") == std::string::npos);
}

TEST_CASE("a reconcile that is canceled at the stop is exported as canceled") {
  TracedWorld world(1, 1h);
  world.client.answer = deployment_a;
  world.reconcile_a();
  auto spans = world.spans();

  CHECK(spans["run"].attributes["error.type"] == "canceled");
  CHECK(spans["reconcile Memcached"].attributes["keelson.reconcile.result"] == "canceled");
  CHECK(spans["run"].end - spans["run"].start == 1'000'000);
}
