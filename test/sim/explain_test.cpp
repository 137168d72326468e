// What the history of an object has, and the answers of `manager explain`, in simulation.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <stdexcept>
#include <string>

#include "keelson/controller/controller_for.hpp"
#include "src/kinds/memcached/memcached.hpp"
#include "test/sim/cluster_with_user.hpp"
#include "test/support/json_texts.hpp"

namespace keelson::testing {
namespace {

using namespace std::chrono_literals;

const kube::Key kWeb("default", "web");
const auto kMemcacheds = kube::resource_of<kinds::Memcached>();
constexpr const char* kMemcached = R"({"apiVersion":"memcached.cache.example.com/v1","kind":"Memcached",
    "metadata":{"name":"web","namespace":"default"},"spec":{"size":2}})";

// The items of /debug/objects for `web`.
json::View first_item(const json::Document& page) { return page.root().find("items").item(0); }
struct ExplainedMemcached : ClusterWithUser {
  ExplainedMemcached() : ClusterWithUser(1, kinds::memcached()) {
    start_manager();
    create(kMemcacheds, "default", kMemcached);
    pass(1min);
  }
  [[nodiscard]] std::string explained() const { return explain_object(kMemcacheds, kWeb); }
  [[nodiscard]] json::Document page() const { return debug_objects("kind=memcached&namespace=default&name=web"); }
  [[nodiscard]] std::string answer() const { return string_or_empty(first_item(page()).at({"answer", "name"})); }
  [[nodiscard]] bool says(const std::string& part) const {
    UNSCOPED_INFO(explained());
    return explained().find(part) != std::string::npos;
  }
};

TEST_CASE("the history names the events, reads, writes and changed fields of a Memcached's reconciles") {
  ExplainedMemcached cluster;

  cluster.patch(kMemcacheds, kWeb, R"({"spec":{"size":3}})");
  cluster.pass(10ms);
  CHECK(cluster.says("because  Memcached default/web updated"));
  CHECK(cluster.says("changed  Deployment default/web: spec.replicas\n"));
  CHECK(cluster.says(" Deployment"));
  cluster.pass(1min);

  CHECK(cluster.says("changed  Memcached/status default/web: status."));
  CHECK(cluster.says("observed 2"));
  CHECK(cluster.says("Ready=True AllNodesReady"));
}

TEST_CASE("a created child is recorded as created, and a reconcile without writes answers that nothing is to do") {
  ClusterWithUser world(1, kinds::memcached());
  world.start_manager();
  world.create(kMemcacheds, "default", kMemcached);
  world.pass(100ms);
  const auto early = world.explain_object(kMemcacheds, kWeb);
  INFO(early);
  CHECK(early.find("created  Deployment default/web\n") != std::string::npos);
  CHECK(early.find("created  Service default/web\n") != std::string::npos);
  world.pass(1min);

  world.patch(kMemcacheds, kWeb, R"({"metadata":{"annotations":{"keelson.dev/reconcile-at":"1"}}})");
  world.pass(1s);

  const auto late = world.explain_object(kMemcacheds, kWeb);
  INFO(late);
  CHECK(late.find("because  reconcile-at changed") != std::string::npos);
  CHECK(late.find("\nNothing to do: the last reconcile wrote nothing.\n") != std::string::npos);
}

TEST_CASE("a failure has its error, its backoff and its retries") {
  ClusterWithUser other(1, kinds::memcached());
  other.create(kube::services(), "default",
               R"({"apiVersion":"v1","kind":"Service","metadata":{"name":"web"},"spec":{"ports":[{"port":1}]}})");
  other.start_manager();
  other.create(kMemcacheds, "default", kMemcached);
  other.pass(5s);

  const auto page = other.debug_objects("kind=memcacheds&namespace=default&name=web");
  const auto item = first_item(page);
  INFO(item.text());
  CHECK(string_or_empty(item.at({"answer", "name"})) == "failed");
  CHECK(string_or_empty(item.at({"queue", "state"})) == "waiting");
  CHECK(item.at({"queue", "retries"}).integer().value_or(0) > 3);
  const auto last = item.find("reconciles").item(0);
  CHECK(string_or_empty(last.find("result")) == "error");
  CHECK(
      string_or_empty(last.find("error")).find("Service default/web exists and is not controlled by this Memcached.") !=
      std::string::npos);
  const auto reasons = last.find("reasons");
  CHECK(string_or_empty(reasons.item(reasons.size() - 1)) == "retry after error");
  CHECK(!string_or_empty(last.find("nextAfter")).empty());
}

TEST_CASE("a pause is an answer, with the way to resume") {
  ExplainedMemcached cluster;

  cluster.patch(kMemcacheds, kWeb, R"({"metadata":{"annotations":{"keelson.dev/paused":"true"}}})");
  cluster.pass(1s);

  CHECK(cluster.answer() == "paused");
  CHECK(cluster.says("Paused: The annotation keelson.dev/paused is true. Remove it to resume."));
  CHECK(cluster.says("  paused in "));
}

TEST_CASE("the answer about a deleted object is that the manager observes none") {
  ExplainedMemcached cluster;

  cluster.remove(kMemcacheds, kWeb);
  cluster.pass(1min);

  CHECK(cluster.answer() == "missing");
  CHECK(cluster.says("  gone in "));
}

TEST_CASE("the list has the last result of each object, and continues") {
  ClusterWithUser world(1, kinds::memcached());
  world.start_manager();
  world.create({"", "v1", "Namespace", "namespaces", false}, "",
               R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"other"}})");
  for (int i = 0; i < 120; ++i) {
    world.create(kMemcacheds, i % 2 == 0 ? "default" : "other",
                 R"({"apiVersion":"memcached.cache.example.com/v1","kind":"Memcached","metadata":{"name":"web-)" +
                     std::to_string(i) + R"("},"spec":{"size":1}})");
  }
  world.pass(1min);

  const auto first = world.debug_objects("");
  CHECK(first.root().find("items").size() == 100);
  const auto rest = world.debug_objects("continue=" + string_or_empty(first.root().find("continue")));
  CHECK(rest.root().find("items").size() == 20);
  CHECK(string_or_empty(rest.root().find("continue")).empty());
  CHECK(world.debug_objects("kind=Memcached&namespace=other").root().find("items").size() == 60);
  CHECK(string_or_empty(first_item(first).find("kind")) == "Memcached");
}

TEST_CASE("a kind without a controller is an answer") {
  ExplainedMemcached cluster;

  const auto page = cluster.debug_objects("kind=guestbook&name=web");

  CHECK(string_or_empty(page.root().at({"answer", "name"})) == "disabled");
}

// A controller that fails in a way that its objects request.
struct TideSpec {
  std::string way;
};
void describe(kube::Description& d, TideSpec& spec) { d.field("way", spec.way, "How it fails."); }

struct Tide : CustomResource<TideSpec> {
  static constexpr kube::Identity kIdentity{"sea.example.com", "v1", "Tide"};
};

Reconciled reconcile_tide(const Tide& tide, Pass<Tide>& pass) {
  if (tide.spec.way == "panic") throw std::runtime_error("the sea is dry");
  if (tide.spec.way == "timeout") co_await async::sleep_for(pass.clock, 1h);
  if (tide.spec.way == "terminal") co_return terminal_error(invalid_error("there is no such sea"));
  if (tide.spec.way == "later") co_return requeue_after(10min);
  co_return done();
}

struct Tides : ClusterWithUser {
  explicit Tides(const std::string& way)
      : ClusterWithUser(1, controller_for<Tide>(reconcile_tide).reconcile_timeout(5s)) {
    start_manager();
    create(
        kube::resource_of<Tide>(), "default",
        R"({"apiVersion":"sea.example.com/v1","kind":"Tide","metadata":{"name":"web"},"spec":{"way":")" + way + "\"}}");
  }
  [[nodiscard]] std::string explained() const { return explain_object(kube::resource_of<Tide>(), kWeb); }
};

TEST_CASE("every answer says that the cache is stale while a watch of the controller fails after its list") {
  for (const auto& resource : {kMemcacheds, kube::deployments()}) {
    ExplainedMemcached cluster;
    INFO(resource.plural);
    REQUIRE(cluster.answer() != "stale");
    // The API server ends the watches and rejects new ones.
    auto rejected = cluster.server.forbid([resource](const sandbox::RequestInfo& r) {
      return r.user == "manager" && !r.is_write() && r.resource == resource;
    });
    cluster.server.set_chaos({.watch_life = 1s});
    cluster.pass(3min);

    CHECK(cluster.answer() == "stale");
    CHECK(cluster.says("Changes are not observed, because a watch fails: " + resource.qualified_plural() + " for "));
    CHECK(cluster.says("is forbidden"));
    CHECK(cluster.says("By the cache of that time: "));
    const auto missing = cluster.debug_objects("kind=memcached&namespace=default&name=new");
    CHECK(string_or_empty(first_item(missing).at({"answer", "name"})) == "stale");

    cluster.server.set_chaos({});
    rejected.reset();
    cluster.pass(35s);
    CHECK(cluster.answer() != "stale");
  }
}

struct Way {
  const char* way;
  async::Duration wait;
  const char* text;
};

TEST_CASE("exceptions, timeouts, terminal errors and requeues of a controller are answers") {
  const auto way = GENERATE(
      Way{"panic", 2s,
          "The last reconcile ended with an exception: panic: the sea is dry [recovered]. It is retried in "},
      Way{"timeout", 1s, "In progress: a worker has been reconciling it for "},
      Way{"timeout", 5002ms,
          "The last reconcile was canceled: the reconcile was canceled after its timeout of 5s. It is retried in "},
      Way{"terminal", 2s,
          "The last reconcile failed: terminal error: there is no such sea. It is not retried until the object "
          "changes."},
      Way{"later", 2s, "the last reconcile succeeded and requested the next one for then."},
      Way{"none", 2s, "Nothing to do: the last reconcile wrote nothing."});
  Tides tides(way.way);

  tides.pass(way.wait);

  INFO(tides.explained());
  CHECK(tides.explained().find(way.text) != std::string::npos);
}

}  // namespace
}  // namespace keelson::testing
