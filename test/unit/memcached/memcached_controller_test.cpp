// The status and the retries after the API server rejects the desired state of a child.
#include <catch2/catch_test_macros.hpp>
#include <optional>

#include "keelson/detail/controller/definition_parts.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"
#include "src/kinds/memcached/memcached.hpp"
#include "test/support/conditions.hpp"
#include "test/support/result_of.hpp"
#include "test/unit/controller/fakes.hpp"

namespace keelson::testing {
namespace {

using namespace std::chrono_literals;
using controller::Outcome;

const kube::Key kWeb("default", "web");

class RecordedEvents final : public controller::EventRecorder {
 public:
  void record(const kube::Resource&, const kube::Object&, Type type, std::string reason, std::string,
              std::string note) override {
    recorded.push_back((type == Type::kWarning ? "Warning " : "Normal ") + reason + " " + note);
  }
  std::vector<std::string> recorded;
};

std::string web(const std::string& status) {
  return R"({"apiVersion":"memcached.cache.example.com/v1","kind":"Memcached","metadata":{"name":"web",)"
         R"("namespace":"default","uid":"u-1","resourceVersion":"7","generation":1},"spec":{"size":1},"status":)" +
         status + "}";
}

Error rejected(int code, std::string reason, std::string words, std::string body = "{}") {
  auto error = status_error(code, std::move(reason));
  error.server_text = std::move(words);
  error.status_body = std::move(body);
  return error;
}

// A reconciler that has observed a new Memcached and no children.
struct ReconciledMemcached {
  ReconciledMemcached() {
    (void)cache.declare({.resource = definition.resource()});
    for (const auto& source : definition.parts().sources) (void)cache.declare({.resource = source.resource});
    see(web("{}"));
    client.answer = [this](const kube::ApiRequest& request) {
      if (rejection && request.resource == rejected_resource) return Result<kube::ApiReply>(*rejection);
      return Result<kube::ApiReply>(kube::ApiReply{200, request.body});
    };
    reconciler = controller::make_reconciler(definition, context);
  }

  void see(const std::string& memcached) {
    cache.of(definition.resource()).objects.insert_or_assign(kWeb, object(memcached));
  }
  // Stores the written status in the cache.
  void see_what_was_written() {
    auto document = json::Document::parse(written().back());
    REQUIRE(document.has_value());
    see(web(std::string(document->root().find("status").text())));
  }
  Result<Outcome> reconcile() {
    controller::Attempt attempt{kWeb, Logger(lines), client};
    return result_of(loop, reconciler->reconcile(attempt));
  }
  void pass(async::Duration time) { loop.run(async::sleep_for(loop.clock(), time)); }
  // Bodies of the writes of this resource.
  std::vector<std::string> written(const kube::Resource& resource = kube::resource_of<kinds::Memcached>()) {
    std::vector<std::string> bodies;
    for (const auto& request : client.requests) {
      if (request.resource == resource) bodies.push_back(request.body);
    }
    return bodies;
  }
  std::string condition(std::string_view type) {
    if (written().empty()) return "nothing was written";
    auto document = json::Document::parse(written().back());
    return condition_with_message(document->root(), type);
  }

  sandbox::loop::TestLoop loop;
  base::Random random{1};
  FakeLog lines;
  FakeClient client;
  FakeCache cache;
  RecordedEvents events;
  metrics::Registry registry;
  controller::Context context{loop.clock(), random, Logger(lines), client,
                              cache,        events, registry,      [](const char*) -> const char* { return nullptr; }};
  controller::Definition definition = kinds::memcached();
  std::unique_ptr<controller::Reconciler> reconciler;
  std::optional<Error> rejection;
  kube::Resource rejected_resource = kube::deployments();
};

TEST_CASE("a rejected child is reported in the status immediately, with the server's text, and retried") {
  struct Row {
    Error error;
    std::string words;
  };
  const std::vector<Row> table{
      {rejected(403, "Forbidden", "exceeded quota: few"), "exceeded quota: few"},
      {rejected(422, "Invalid", "spec.template.spec.containers[0].image: Invalid value",
                R"({"details":{"causes":[{"field":"spec.template.spec.containers[0].image"}]}})"),
       "spec.template.spec.containers[0].image: Invalid value"},
      {rejected(400, "", "admission webhook \"w\" denied the request"), "admission webhook \"w\" denied the request"},
  };

  for (const auto& row : table) {
    ReconciledMemcached world;
    world.rejection = row.error;

    auto ended = world.reconcile();

    INFO(row.words);
    REQUIRE_FALSE(ended);
    CHECK(ended.error().server_text == row.words);
    CHECK(ended.error().kind == Error::Kind::kStatus);
    for (const auto* type : {"Degraded", "Stalled"}) {
      CHECK(world.condition(type) == "True CreateFailed Deployment default/web: " + row.words);
    }
    CHECK(world.condition("Ready") == "False CreateFailed Deployment default/web: " + row.words);
    CHECK(world.condition("Reconciling") == "-");
    CHECK(world.written(kube::services()).size() == 1);
    CHECK(world.events.recorded ==
          std::vector<std::string>{"Warning CreateFailed Deployment default/web: " + row.words});
  }
}

TEST_CASE("M11: a rejected Service is reported, and the Deployment is created") {
  ReconciledMemcached world;
  world.rejection = rejected(403, "Forbidden", "exceeded quota: no services");
  world.rejected_resource = kube::services();

  auto ended = world.reconcile();

  CHECK_FALSE(ended);
  CHECK(world.condition("Degraded") == "True CreateFailed Service default/web: exceeded quota: no services");
  CHECK(world.written(kube::deployments()).size() == 1);
}

TEST_CASE("a transient error is retried and does not change the status") {
  const std::vector<Error> table{
      rejected(409, "Conflict", "the object has been modified"),
      rejected(429, "TooManyRequests", "too many requests"),
      rejected(500, "InternalError", "failed calling webhook"),
      rejected(503, "ServiceUnavailable", "shutting down"),
      rejected(403, "Forbidden", "it is being terminated",
               R"({"details":{"causes":[{"reason":"NamespaceTerminating"}]}})"),
      rejected(422, "Invalid", "another life", R"({"details":{"causes":[{"field":"metadata.uid"}]}})"),
      transport_error("connection reset"),
      timeout_error("no answer"),
  };

  for (const auto& error : table) {
    ReconciledMemcached world;
    world.rejection = error;

    auto ended = world.reconcile();

    INFO(error.message());
    CHECK_FALSE(ended);
    CHECK(world.written().empty());
    CHECK(world.written(kube::services()).size() == 1);
  }
}

TEST_CASE("a Memcached is not ready while its Service cannot be applied, for any reason") {
  ReconciledMemcached world;
  world.rejection = rejected(500, "InternalError", "failed calling webhook");
  world.rejected_resource = kube::services();

  CHECK_FALSE(world.reconcile());

  CHECK(world.written(kube::deployments()).size() == 1);
  CHECK(world.written().empty());
}

TEST_CASE("a rejection whose text differs with every try is written at most once a second") {
  ReconciledMemcached world;
  world.rejection = rejected(403, "Forbidden", "used 1");
  (void)world.reconcile();
  world.see_what_was_written();

  world.rejection = rejected(403, "Forbidden", "used 2");
  (void)world.reconcile();
  auto at_once = world.written().size();
  world.pass(1s);
  (void)world.reconcile();

  CHECK(at_once == 1);
  CHECK(world.written().size() == 2);
  CHECK(world.condition("Degraded") == "True CreateFailed Deployment default/web: used 2");
}

TEST_CASE("a status of an older operator that cannot be decoded is replaced") {
  ReconciledMemcached world;
  world.see(web(R"({"nodes":"none","conditions":[{"type":7}]})"));

  auto first = world.reconcile();
  world.pass(1s);
  auto second = world.reconcile();

  CHECK(first);
  CHECK(second);
  REQUIRE(world.written().size() == 1);
  CHECK(world.written().back().find(R"("nodes":[])") != std::string::npos);
}

TEST_CASE("a Memcached that is being deleted gets no children and no status") {
  ReconciledMemcached world;
  auto going = web("{}");
  going.insert(going.find(R"("uid")"), R"("deletionTimestamp":"2026-01-01T00:00:00Z","finalizers":["a/b"],)");
  world.see(going);

  auto ended = world.reconcile();

  REQUIRE(ended);
  CHECK(world.client.requests.empty());
}

TEST_CASE("a pass that a newer spec supersedes writes no child and no status, and the next pass begins immediately") {
  ReconciledMemcached world;
  REQUIRE(world.reconcile());
  // The Deployment differs from the cached spec: another process has applied the newer one.
  auto deployment = world.written(kube::deployments()).at(0);
  auto replace = [](std::string text, const std::string& what, const std::string& by) {
    auto place = text.find(what);
    REQUIRE(place != std::string::npos);
    return text.replace(place, what.size(), by);
  };
  deployment = replace(deployment, R"("resourceVersion":"1")", R"("resourceVersion":"9","uid":"d-1")");
  deployment = replace(deployment, R"("replicas":1)", R"("replicas":3)");
  world.cache.of(kube::deployments()).objects.insert_or_assign(kWeb, object(deployment));
  world.client.answer = [](const kube::ApiRequest& request) {
    auto newer = web("{}");
    newer.replace(newer.find(R"("generation":1)"), 14, R"("generation":2)");
    if (request.verb != kube::Verb::kList) return Result<kube::ApiReply>(kube::ApiReply{200, request.body});
    return Result<kube::ApiReply>(
        kube::ApiReply{200, R"({"metadata":{"resourceVersion":"1000"},"items":[)" + newer + "]}"});
  };
  world.client.requests.clear();

  auto ended = world.reconcile();

  REQUIRE(ended);
  CHECK(ended->after() == async::Duration::zero());
  CHECK(world.written(kube::deployments()).empty());
  CHECK(world.written(kube::services()).empty());
  for (const auto& request : world.client.requests) CHECK(request.verb == kube::Verb::kList);
}

TEST_CASE("a pod's labels map to a Memcached only in the pod's namespace, and only if it exists") {
  ReconciledMemcached world;
  auto pod = [](const std::string& ns, const std::string& name) {
    return object(R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":")" + ns +
                  R"(","uid":"p-1","labels":{"app":"memcached","memcached_cr":")" + name + R"("}}})");
  };
  std::size_t watched = 0;
  for (const auto& source : world.definition.parts().sources) {
    if (source.resource != kube::pods() && source.resource != kube::replica_sets()) continue;
    ++watched;
    CHECK(source.map(pod("default", "web"), world.cache) == std::vector{kWeb});
    CHECK(source.map(pod("attacker", "web"), world.cache).empty());
    CHECK(source.map(pod("default", "nobody"), world.cache).empty());
  }
  CHECK(watched == 2);
}

}  // namespace
}  // namespace keelson::testing
