// The annotation `paused` of objects and children, and `reconcile-at`, in simulation.
#include "keelson/detail/controller/pause.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "keelson/api/core/v1/config_map.hpp"
#include "keelson/controller/controller_for.hpp"
#include "keelson/schema/time.hpp"
#include "src/kinds/cronjob/cronjob.hpp"
#include "src/kinds/memcached/memcached.hpp"
#include "test/sim/cluster_with_user.hpp"
#include "test/sim/every_kind.hpp"
#include "test/support/conditions.hpp"
#include "test/support/toy_kinds.hpp"

namespace keelson::testing {
namespace {

using namespace std::chrono_literals;
using core::v1::ConfigMap;
using kinds::Memcached;

const auto kMemcacheds = kube::resource_of<Memcached>();
const auto kConfigMaps = kube::resource_of<ConfigMap>();
const kube::Key kWeb("default", "web");
constexpr const char* kPausedLine = "Paused: nothing is written for this object";
constexpr const char* kChildLine = "Paused: nothing is written for this child";
constexpr const char* kResumedLine = "Resumed: the object is reconciled again";

std::string annotation(const std::string& value, const std::string& name = "keelson.dev/paused") {
  return R"({"metadata":{"annotations":{")" + name + R"(":)" + (value == "null" ? value : '"' + value + '"') + "}}}";
}

// The manager's writes since the last clear_log(): "patch memcacheds/status".
std::vector<std::string> writes(const sandbox::SimulatedCluster& cluster) {
  std::vector<std::string> all;
  for (const auto& request : cluster.server.log()) {
    if (request.user != "manager" || !request.is_write()) continue;
    const auto verb = request.verb == kube::Verb::kDelete ? "delete " : "write ";
    all.push_back(verb + request.resource.plural + (request.subresource.empty() ? "" : "/" + request.subresource));
  }
  return all;
}
using Writes = std::vector<std::string>;

struct PausedMemcached : ClusterWithUser {
  PausedMemcached() : ClusterWithUser(1, kinds::memcached()) {
    start_manager();
    create(kMemcacheds, "default",
           R"({"apiVersion":"memcached.cache.example.com/v1","kind":"Memcached","metadata":{"name":"web"},)"
           R"("spec":{"size":2}})");
    REQUIRE(eventually([&] { return condition_text(web().root(), "Ready") == "True AllNodesReady"; }));
    pass(10s);
    server.clear_log();
  }

  json::Document web() const { return get(kMemcacheds, kWeb); }
  void pause(const std::string& value) { patch(kMemcacheds, kWeb, annotation(value)); }
  void scale(int size) { patch(kMemcacheds, kWeb, R"({"spec":{"size":)" + std::to_string(size) + "}}"); }
  std::int64_t replicas() const {
    return get(kube::deployments(), kWeb).root().at({"spec", "replicas"}).integer().value_or(-1);
  }
  void shift_port() {
    patch(kube::services(), kWeb,
          R"({"spec":{"ports":[{"name":"memcached","port":11211,"protocol":"TCP","targetPort":9999}]}})");
  }
  std::int64_t port() const {
    return get(kube::services(), kWeb).root().at({"spec", "ports"}).item(0).find("targetPort").integer().value_or(-1);
  }
};

TEST_CASE("nothing is written for a paused Memcached except the condition, whatever changes, until it is resumed") {
  PausedMemcached cluster;
  const auto before = cluster.web();

  cluster.pause("true");
  cluster.pass(10s);
  CHECK(writes(cluster) == Writes{"write memcacheds/status"});
  cluster.shift_port();
  cluster.scale(5);
  cluster.pass(30min);

  CHECK(writes(cluster) == Writes{"write memcacheds/status"});
  CHECK(cluster.port() == 9999);
  CHECK(cluster.replicas() == 2);
  CHECK(cluster.sink.count(kPausedLine) == 1);
  CHECK(condition_text(cluster.web().root(), "Paused") == "True Paused");
  CHECK(condition_message(cluster.web().root(), "Paused") ==
        "The annotation keelson.dev/paused is true. Remove it to resume.");
  CHECK(condition_text(cluster.web().root(), "Ready") == condition_text(before.root(), "Ready"));
  CHECK(cluster.web().root().at({"status", "observedGeneration"}).integer() == 1);

  cluster.pause("null");
  REQUIRE(cluster.eventually([&] { return cluster.replicas() == 5 && cluster.port() == 11211; }, 5s));
  REQUIRE(cluster.eventually([&] { return cluster.web().root().at({"status", "readyNodes"}).integer() == 5; }));
  CHECK(condition_text(cluster.web().root(), "Paused") == "False Resumed");
  CHECK(cluster.web().root().at({"status", "observedGeneration"}).integer() == 2);
  CHECK(cluster.sink.count(kResumedLine) == 1);
  cluster.pass(10s);
  cluster.server.clear_log();
  cluster.pass(1h);
  CHECK(writes(cluster).empty());
}

TEST_CASE("a pause until a time ends at that time") {
  PausedMemcached cluster;
  const auto end = std::chrono::floor<std::chrono::seconds>(cluster.loop.clock().wall_now()) + 10min;
  cluster.pause(kube::format_time(end));
  cluster.pass(1s);
  cluster.shift_port();

  cluster.pass(9min);
  CHECK(cluster.port() == 9999);
  CHECK(condition_message(cluster.web().root(), "Paused") ==
        "The annotation keelson.dev/paused pauses until " + kube::format_time(end) + ". Remove it to resume earlier.");

  cluster.pass(1min + 1s);
  CHECK(cluster.port() == 11211);
  CHECK(condition_text(cluster.web().root(), "Paused") == "False Resumed");
  CHECK(cluster.sink.count(kPausedLine) == 1);
}

TEST_CASE("a pause until a time ends within a minute after the wall clock is set beyond it") {
  PausedMemcached cluster;
  const auto now = cluster.loop.clock().wall_now();
  cluster.pause(kube::format_time(now + 24h));
  cluster.pass(1s);
  cluster.shift_port();
  cluster.pass(10min);
  CHECK(cluster.port() == 9999);

  cluster.loop.clock().set_wall(now + 25h);

  CHECK(cluster.eventually([&] { return cluster.port() == 11211; }, 61s));
}

TEST_CASE("a mistaken value pauses, and the condition says how to correct it") {
  PausedMemcached cluster;

  cluster.pause("ture");
  cluster.pass(1s);
  cluster.scale(5);
  cluster.pass(1min);

  CHECK(cluster.replicas() == 2);
  CHECK(
      condition_message(cluster.web().root(), "Paused").find(R"(is "ture", which is neither true, false nor a time)") !=
      std::string::npos);
  cluster.pause("false");
  CHECK(cluster.eventually([&] { return cluster.replicas() == 5; }, 5s));
}

TEST_CASE("a restarted manager knows the pause, and its end while no manager ran") {
  PausedMemcached cluster;
  cluster.pause("true");
  cluster.pass(10s);
  cluster.server.clear_log();

  cluster.crash_manager();
  cluster.shift_port();
  cluster.start_manager();
  cluster.pass(1min);
  CHECK(writes(cluster).empty());
  CHECK(cluster.sink.count(kPausedLine) == 2);

  cluster.crash_manager();
  cluster.pause("null");
  cluster.start_manager();
  CHECK(cluster.eventually([&] { return cluster.port() == 11211; }, 1min));
  CHECK(cluster.eventually([&] { return condition_text(cluster.web().root(), "Paused") == "False Resumed"; }, 5s));
}

TEST_CASE("a paused child is neither corrected nor updated, its siblings are, and its owner names it") {
  PausedMemcached cluster;

  cluster.patch(kube::deployments(), kWeb, annotation("true"));
  cluster.pass(5s);
  CHECK(writes(cluster) == Writes{"write memcacheds/status"});
  CHECK(condition_text(cluster.web().root(), "Paused") == "True ChildPaused");
  CHECK(condition_text(cluster.web().root(), "Ready") == "True AllNodesReady");
  cluster.scale(5);
  cluster.shift_port();
  cluster.pass(10min);

  CHECK(cluster.replicas() == 2);
  CHECK(cluster.port() == 11211);
  CHECK(condition_message(cluster.web().root(), "Paused") ==
        "Deployment default/web is not changed. The annotation keelson.dev/paused is true. Remove it to resume.");
  CHECK(cluster.web().root().at({"status", "observedGeneration"}).integer() == 2);
  CHECK(cluster.writes(kube::deployments(), "", 200) == 0);
  CHECK(cluster.sink.count(kChildLine) == 1);

  cluster.patch(kube::deployments(), kWeb, annotation("null"));
  REQUIRE(cluster.eventually([&] { return cluster.replicas() == 5; }, 5s));
  CHECK(cluster.eventually([&] { return condition_text(cluster.web().root(), "Paused") == "False Resumed"; }, 5s));
}

TEST_CASE("the pause of a child until a time ends at that time") {
  PausedMemcached cluster;
  const auto end = std::chrono::floor<std::chrono::seconds>(cluster.loop.clock().wall_now()) + 10min;
  cluster.patch(kube::deployments(), kWeb, annotation(kube::format_time(end)));
  cluster.scale(5);

  cluster.pass(9min);
  CHECK(cluster.replicas() == 2);
  cluster.pass(1min + 1s);
  CHECK(cluster.replicas() == 5);
}

TEST_CASE("an object of every kind that is paused from its creation gets its condition with one write, and no more") {
  for (const auto& row : every_kind()) {
    const auto& resource = row.definition.resource();
    INFO(resource.kind);
    const kube::Key one("default", "one");
    ClusterWithUser world(1, row.definition);
    world.create(resource, "default", object_of(resource, row.spec));
    world.patch(resource, one, annotation("true"));
    world.start_manager();
    world.pass(5min);

    CHECK(writes(world) == Writes{"write " + resource.plural + "/status"});
    CHECK(condition_text(world.get(resource, one).root(), "Paused") == "True Paused");
    CHECK(world.get(resource, one).root().at({"status", "observedGeneration"}).integer() == -1);

    world.patch(resource, one, annotation("null"));
    world.pass(1min);
    const auto resumed = world.get(resource, one);
    CHECK(condition_text(resumed.root(), "Paused") == "False Resumed");
    CHECK(resumed.root().at({"status", "observedGeneration"}).integer() ==
          resumed.root().at({"metadata", "generation"}).integer());
    CHECK(condition_text(resumed.root(), "Ready") != "-");
  }
}

TEST_CASE("a paused Job of a CronJob is not deleted from its history, and its CronJob names it") {
  ClusterWithUser world(1, kinds::cronjob());
  world.start_manager();
  world.create(kube::resource_of<kinds::CronJob>(), "default",
               R"({"apiVersion":"batch.tutorial.kubebuilder.io/v1","kind":"CronJob","metadata":{"name":"web"},)"
               R"("spec":{"schedule":"*/1 * * * *","successfulJobsHistoryLimit":1,"jobTemplate":{"spec":{"template":)"
               R"({"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}}}})");
  REQUIRE(world.eventually([&] { return !world.server.objects(kube::jobs()).empty(); }));
  const auto first = world.server.objects(kube::jobs()).front().key();
  world.patch(kube::jobs(), first, annotation("true"));

  world.pass(10min);

  CHECK(world.get(kube::jobs(), first).root().is_object());
  CHECK(world.server.objects(kube::jobs()).size() <= 3);
  const auto cronjob = world.get(kube::resource_of<kinds::CronJob>(), kWeb);
  CHECK(condition_text(cronjob.root(), "Paused") == "True ChildPaused");
  CHECK(condition_message(cronjob.root(), "Paused").find("Job " + first.text() + " is not changed.") == 0);
  world.patch(kube::jobs(), first, annotation("null"));
  CHECK(world.eventually([&] { return world.get(kube::jobs(), first).root().is_null(); }, 2min));
}

// A kind without a status, whose children an author names; it copies its own annotations to them.

struct Box : CustomResource<ItemsSpec> {
  static constexpr kube::Identity kIdentity{"store.example.com", "v1", "Box"};
};

const auto kBoxes = kube::resource_of<Box>();
const kube::Key kBox("default", "box");

int reconciles = 0;

Reconciled pack(const Box& box, Pass<Box>& pass) {
  ++reconciles;
  for (const auto& name : box.spec.items) {
    if (name == "broken") co_return timeout_error("the box is broken");
    ConfigMap item{.metadata = {.name = name, .annotations = box.metadata.annotations}, .data = {{"in", box.name()}}};
    KEELSON_CO_TRY(co_await pass.apply(item));
  }
  KEELSON_CO_LET(const auto removed, pass.child<ConfigMap>("remove"));
  if (removed && box.spec.items.empty()) {
    KEELSON_CO_TRY(co_await pass.remove(*removed));
  }
  KEELSON_CO_TRY(co_await pass.prune<ConfigMap>());
  co_return done();
}

Reconciled unpack(const Box&, Pass<Box>& pass) {
  pass.log.info("Unpacking");
  co_return done();
}

struct Store : ClusterWithUser {
  Store()
      : ClusterWithUser(1, std::move(controller_for<Box>(pack, Finalizer<Box>{"store.example.com/unpack", unpack})
                                         .with_event_filter(controller::generation_changed())
                                         .owns<ConfigMap>())) {
    start_manager();
    create(
        kBoxes, "default",
        R"({"apiVersion":"store.example.com/v1","kind":"Box","metadata":{"name":"box"},"spec":{"items":["a","b"]}})");
    REQUIRE(eventually([&] { return has("a") && has("b"); }));
    pass(10s);
    server.clear_log();
    reconciles = 0;
  }
  bool has(const std::string& item) const { return get(kConfigMaps, {"default", item}).root().is_object(); }
  void fill(const std::string& items) { patch(kBoxes, kBox, R"({"spec":{"items":)" + items + "}}"); }
  void request(const std::string& value) { patch(kBoxes, kBox, annotation(value, "keelson.dev/reconcile-at")); }
};

TEST_CASE("nothing at all is written for a paused object of a kind without a status") {
  Store store;

  store.patch(kBoxes, kBox, annotation("true"));
  store.pass(1s);
  store.fill(R"(["a","c"])");
  store.remove(kConfigMaps, {"default", "a"});
  store.pass(1h);

  CHECK(writes(store).empty());
  CHECK(store.sink.count(kPausedLine) == 1);
  store.patch(kBoxes, kBox, annotation("null"));
  REQUIRE(store.eventually([&] { return store.has("a") && store.has("c") && !store.has("b"); }, 5s));
  CHECK(store.sink.count(kResumedLine) == 1);
}

TEST_CASE("a paused object that is being deleted keeps its finalizer until it is resumed") {
  Store store;
  store.patch(kBoxes, kBox, annotation("true"));
  store.pass(1s);

  store.remove(kBoxes, kBox);
  store.pass(1h);
  CHECK(writes(store).empty());
  CHECK(store.sink.count("Unpacking") == 0);
  CHECK(store.get(kBoxes, kBox).root().at({"metadata", "deletionTimestamp"}).has_value());

  store.patch(kBoxes, kBox, annotation("null"));
  CHECK(store.eventually([&] { return store.get(kBoxes, kBox).root().is_null(); }, 5s));
  CHECK(store.sink.count("Unpacking") == 1);
}

TEST_CASE("a paused object gets no finalizer") {
  Store store;
  store.create(kBoxes, "default",
               R"({"apiVersion":"store.example.com/v1","kind":"Box","metadata":{"name":"other","annotations":)"
               R"({"keelson.dev/paused":"true"}},"spec":{"items":["x"]}})");
  store.pass(1min);

  CHECK(writes(store).empty());
  CHECK(store.get(kBoxes, {"default", "other"}).root().at({"metadata", "finalizers"}).is_absent());
}

TEST_CASE("paused children are neither pruned nor removed") {
  Store store;
  store.fill(R"(["a","b","remove"])");
  REQUIRE(store.eventually([&] { return store.has("remove"); }));
  for (const auto* name : {"b", "remove"}) store.patch(kConfigMaps, {"default", name}, annotation("true"));
  store.pass(1s);

  store.fill("[]");
  store.pass(1min);

  CHECK_FALSE(store.has("a"));
  CHECK(store.has("b"));
  CHECK(store.has("remove"));
  CHECK(store.sink.count(kChildLine) >= 2);
  for (const auto* name : {"b", "remove"}) store.patch(kConfigMaps, {"default", name}, annotation("null"));
  CHECK(store.eventually([&] { return !store.has("b") && !store.has("remove"); }, 5s));
}

TEST_CASE("a changed reconcile-at is one reconcile without a write, although the controller filters such updates") {
  Store store;

  store.patch(kBoxes, kBox, R"({"metadata":{"labels":{"note":"x"}}})");
  store.pass(1min);
  CHECK(reconciles == 0);
  store.request("1");
  store.pass(1min);
  CHECK(reconciles == 1);
  store.request("2");
  store.pass(1min);

  CHECK(reconciles == 2);
  const auto& entries = store.sink.entries();
  CHECK(std::ranges::count_if(entries, [](const auto& entry) {
          return entry.message == "Reconciling" &&
                 entry.fields.find(R"(reason="reconcile-at changed")") != std::string::npos;
        }) == 2);
  CHECK(writes(store).empty());
}

TEST_CASE("an author who copies annotations to children does not copy the requests of users") {
  Store store;

  store.patch(kBoxes, kBox, annotation("x", "note"));
  store.patch(kBoxes, kBox, annotation("2026-01-01T00:00:00Z"));
  store.request("1");
  store.pass(1min);

  const auto item = store.get(kConfigMaps, {"default", "a"});
  CHECK(item.root().at({"metadata", "annotations", "note"}).string() == "x");
  CHECK(item.root().at({"metadata", "annotations", "keelson.dev/paused"}).is_absent());
  CHECK(item.root().at({"metadata", "annotations", "keelson.dev/reconcile-at"}).is_absent());
}

TEST_CASE("a reconcile-at in the future reconciles at its time, also after a restart and an earlier reconcile") {
  Store store;
  const auto now = std::chrono::floor<std::chrono::seconds>(store.loop.clock().wall_now());
  store.request(kube::format_time(now + 30min));
  store.pass(1min);
  CHECK(reconciles == 0);
  store.crash_manager();
  store.start_manager();
  store.pass(1min);
  store.fill(R"(["a"])");
  store.pass(27min);
  const auto earlier = reconciles;

  store.pass(2min);
  CHECK(reconciles == earlier + 1);
  store.pass(1h);
  CHECK(reconciles == earlier + 1);
}

TEST_CASE("reconcile-at and a new generation end the wait for the backoff") {
  Store store;
  store.fill(R"(["broken"])");
  store.pass(20min);
  const auto failures = reconciles;
  store.pass(1min);
  CHECK(reconciles == failures);

  store.request("now");
  store.pass(1s);
  CHECK(reconciles - failures == 8);  // after 0, 5, 15, 35, 75, 155, 315 and 635 ms
  store.pass(20min);
  store.fill(R"(["a","b","c"])");
  CHECK(store.eventually([&] { return store.has("c"); }, 1s));
}

TEST_CASE("the annotations have the prefix of the operator") {
  ClusterWithUser world(1, kinds::memcached());
  world.operator_name = kube::OperatorName("greeter");
  world.start_manager();
  world.create(kMemcacheds, "default",
               R"({"apiVersion":"memcached.cache.example.com/v1","kind":"Memcached","metadata":{"name":"web",)"
               R"("annotations":{"greeter.keelson.dev/paused":"true"}},"spec":{"size":1}})");
  world.pass(10s);
  CHECK(world.get(kube::deployments(), kWeb).root().is_null());

  world.patch(kMemcacheds, kWeb, annotation("null", "greeter.keelson.dev/paused"));
  world.patch(kMemcacheds, kWeb, annotation("true"));
  CHECK(world.eventually([&] { return world.get(kube::deployments(), kWeb).root().is_object(); }, 5s));
}

}  // namespace
}  // namespace keelson::testing
