// Errors that are not rejections, such as the 500 of a webhook: they are reported in the object when they persist.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "keelson/api/core/v1/config_map.hpp"
#include "keelson/api/core/v1/namespace.hpp"
#include "keelson/controller/controller_for.hpp"
#include "keelson/sandbox/simulated_cluster.hpp"
#include "test/sim/every_kind.hpp"
#include "test/sim/webhook_error.hpp"
#include "test/support/conditions.hpp"
#include "test/support/toy_kinds.hpp"

namespace keelson {
namespace {

using namespace std::chrono_literals;
using core::v1::ConfigMap;
using core::v1::Namespace;
using sandbox::RequestInfo;
using testing::condition_text;
using testing::webhook_error;

struct ShopSpec {
  std::string title;
};
void describe(kube::Description& d, ShopSpec& spec) { d.field("title", spec.title, "What the page shows."); }

struct Shop : CustomResource<ShopSpec, testing::ObservedStatus> {
  static constexpr kube::Identity kIdentity{"web.example.com", "v1", "Shop"};
};

Reconciled reconcile(const Shop& shop, Pass<Shop>& pass) {
  if (shop.spec.title == "insolvent") co_return invalid_error("the bank has rejected the account");
  if (shop.spec.title == "banned") co_return terminal_error(invalid_error("the town allows no shop here"));
  if (shop.spec.title == "waiting") {
    pass.reconciling("WaitingForBank", "The bank opens at nine.");
    co_return invalid_error("the bank is closed");
  }
  if (shop.spec.title == "late") co_await async::sleep_for(pass.clock, 1h);
  if (shop.spec.title == "robbed") throw std::runtime_error("the till is empty");
  if (shop.spec.title != "closed") {
    ConfigMap page{.metadata = {.name = shop.name()}, .data = {{"title", shop.spec.title}}};
    KEELSON_CO_TRY(co_await pass.apply(page));
  }
  KEELSON_CO_TRY(co_await pass.prune<ConfigMap>());
  pass.ready("Open", "The page is published.");
  co_return done();
}

Reconciled close(const Shop&, Pass<Shop>&) { co_return done(); }

const auto kShops = kube::resource_of<Shop>();
const auto kPages = kube::resource_of<ConfigMap>();
const kube::Key kOne("default", "one");

struct ShopCluster : sandbox::SimulatedCluster {
  explicit ShopCluster(controller::Definition definition = controller_for<Shop>(reconcile).owns<ConfigMap>(),
                       sandbox::ClusterOptions options = {})
      : SimulatedCluster(std::move(definition), std::move(options)) {
    REQUIRE(start_manager());
  }

  void open(const std::string& title = "hello") {
    REQUIRE(create(kShops, "default",
                   "apiVersion: web.example.com/v1\nkind: Shop\nmetadata: {name: one}\nspec: {title: " + title + "}"));
  }
  void set_title(const std::string& title) { REQUIRE(patch(kShops, kOne, R"({"spec":{"title":")" + title + "\"}}")); }
  // All writes of the manager that fit fail with the error until the result is set to false.
  std::shared_ptr<bool> fail_writes(const sandbox::RequestPredicate& fits, const Error& error) {
    auto fails = std::make_shared<bool>(true);
    for (int i = 0; i < 200; ++i) {
      server.fail_next(
          [fails, fits](const RequestInfo& r) { return *fails && r.user == "manager" && r.is_write() && fits(r); },
          error);
    }
    return fails;
  }
  std::shared_ptr<bool> fail_pages(const Error& error) {
    return fail_writes([](const RequestInfo& r) { return r.resource == kPages; }, error);
  }

  // "True Open"; "-": absent
  std::string condition(std::string_view type, const kube::Resource& resource = kShops) const {
    const auto stored = get(resource, kOne);
    return condition_text(stored.root(), type);
  }
  bool eventually_is(std::string_view type, std::string_view state) {
    return eventually([&] { return condition(type) == state; }, 1min);
  }
  bool is_observed(const kube::Resource& resource = kShops) const {
    const auto stored = get(resource, kOne);
    return stored.root().at({"status", "observedGeneration"}).integer() ==
           stored.root().at({"metadata", "generation"}).integer();
  }
  // The states of the condition Stalled while the time passes, without repetitions.
  std::vector<std::string> stalled_during(async::Duration time) {
    std::vector<std::string> states{condition("Stalled")};
    for (async::Duration passed{}; passed < time; passed += 100ms) {
      pass(100ms);
      if (const auto state = condition("Stalled"); state != states.back()) states.push_back(state);
    }
    return states;
  }
  int warnings(std::string_view reason) const {
    const auto events = server.objects(kube::events());
    return static_cast<int>(std::ranges::count_if(events, [&](const kube::Object& event) {
      const auto document = json::Document::parse(event.json()).value();
      return document.root().find("reason").string() == reason && document.root().find("type").string() == "Warning";
    }));
  }
};

// The failure of the function is in the conditions and in one Event, and gone when the function succeeds.
void check_report_and_recovery(ShopCluster& world) {
  CHECK(world.condition("Ready") == "False ReconcileFailed");
  CHECK(world.is_observed());
  CHECK(world.warnings("ReconcileFailed") == 1);

  world.set_title("hello");
  REQUIRE(world.eventually_is("Ready", "True Open"));
  CHECK(world.condition("Stalled") == "-");
}

TEST_CASE("an error of a write that persists is reported whatever its code, and cleared by the next success") {
  for (const int code : {400, 404, 409, 429, 500, 503, 504}) {
    INFO(code);
    ShopCluster world;
    const auto fails = world.fail_pages(webhook_error(code));
    world.open();

    REQUIRE(world.eventually_is("Stalled", "True CreateFailed"));
    CHECK(world.condition("Ready") == "False CreateFailed");
    CHECK(world.is_observed());
    CHECK(world.warnings("CreateFailed") == 1);
    const auto explained = world.explain_object(kShops, kOne);
    CHECK(explained.find("failed calling webhook \"policy.example.com\"") != std::string::npos);
    *fails = false;

    REQUIRE(world.eventually([&] { return world.condition("Ready") == "True Open"; }, 30min));
    CHECK(world.condition("Stalled") == "-");
  }
}

TEST_CASE("an error of a restart of a few seconds is not reported") {
  for (const auto& error : {webhook_error(500), webhook_error(503), transport_error("connection refused")}) {
    ShopCluster world;
    world.open();
    REQUIRE(world.eventually_is("Ready", "True Open"));
    const auto fails = world.fail_pages(error);
    world.set_title("other");

    CHECK(world.stalled_during(8s) == std::vector<std::string>{"-"});
    *fails = false;
    CHECK(world.stalled_during(5min) == std::vector<std::string>{"-"});
    CHECK(world.condition("Ready") == "True Open");
    CHECK(world.warnings("UpdateFailed") == 0);
  }
}

TEST_CASE("an API server that does not answer is not reported in the object") {
  ShopCluster world;
  const auto fails = world.fail_pages(transport_error("connection refused"));
  world.open();

  CHECK(world.stalled_during(5min) == std::vector<std::string>{"-"});
  CHECK(world.explain_object(kShops, kOne).find("connection refused") != std::string::npos);
  CHECK(*fails);
}

TEST_CASE("a deletion that fails for a while is reported") {
  ShopCluster world;
  world.open();
  REQUIRE(world.eventually_is("Ready", "True Open"));
  const auto fails = world.fail_pages(webhook_error(500));
  world.set_title("closed");

  REQUIRE(world.eventually_is("Stalled", "True DeleteFailed"));
  CHECK(world.is_observed());
  CHECK(world.warnings("DeleteFailed") == 1);
  *fails = false;

  REQUIRE(world.eventually([&] { return world.condition("Ready") == "True Open"; }, 30min));
}

TEST_CASE("an error of the reconcile function that persists is reported instead of an older readiness") {
  ShopCluster world;
  world.open();
  REQUIRE(world.eventually_is("Ready", "True Open"));
  world.set_title("insolvent");

  REQUIRE(world.eventually_is("Stalled", "True ReconcileFailed"));
  check_report_and_recovery(world);
}

TEST_CASE("a terminal error is reported at once, because no retry follows") {
  ShopCluster world;
  world.open();
  REQUIRE(world.eventually_is("Ready", "True Open"));
  world.set_title("banned");

  REQUIRE(world.eventually([&] { return world.condition("Stalled") == "True ReconcileFailed"; }, 1s));
  check_report_and_recovery(world);
}

TEST_CASE("the readiness that a failing function has set is left alone") {
  ShopCluster world;
  world.open("waiting");

  CHECK(world.stalled_during(1min) == std::vector<std::string>{"-"});
  CHECK(world.condition("Reconciling") == "True WaitingForBank");
}

TEST_CASE("a status that cannot be written for a while is reported by an Event") {
  ShopCluster world;
  const auto fails = world.fail_writes([](const RequestInfo& r) { return r.resource == kShops; }, webhook_error(500));
  world.open();

  REQUIRE(world.eventually([&] { return world.warnings("StatusUpdateFailed") == 1; }, 1min));
  CHECK(world.explain_object(kShops, kOne).find("failed calling webhook") != std::string::npos);
  *fails = false;

  REQUIRE(world.eventually([&] { return world.condition("Ready") == "True Open"; }, 30min));
}

TEST_CASE("a finalizer that cannot be added for a while is reported") {
  ShopCluster world(controller_for<Shop>(reconcile, Finalizer<Shop>{"web.example.com/shop", close}).owns<ConfigMap>());
  const auto fails = world.fail_writes(
      [](const RequestInfo& r) { return r.resource == kShops && r.subresource.empty(); }, webhook_error(500));
  world.open();

  REQUIRE(world.eventually_is("Stalled", "True ReconcileFailed"));
  CHECK(world.is_observed());
  *fails = false;
  REQUIRE(world.eventually([&] { return world.condition("Ready") == "True Open"; }, 30min));

  const auto fails_again = world.fail_writes(
      [](const RequestInfo& r) { return r.resource == kShops && r.subresource.empty(); }, webhook_error(500));
  REQUIRE(world.remove(kShops, kOne));
  REQUIRE(world.eventually_is("Stalled", "True ReconcileFailed"));
  *fails_again = false;
  REQUIRE(world.eventually([&] { return world.get(kShops, kOne).root().is_null(); }, 30min));
}

TEST_CASE("exceptions and timeouts of a reconcile that persist are reported in the object") {
  for (const auto* title : {"late", "robbed"}) {
    ShopCluster world(controller_for<Shop>(reconcile).owns<ConfigMap>().reconcile_timeout(5s),
                      {.tolerates_problems = true});
    world.open();
    REQUIRE(world.eventually_is("Ready", "True Open"));
    world.set_title(title);

    INFO(title);
    CHECK(world.stalled_during(9s) == std::vector<std::string>{"-"});
    REQUIRE(world.eventually_is("Stalled", "True ReconcileFailed"));
    check_report_and_recovery(world);
  }
}

TEST_CASE("a restart of the manager does not withdraw what is reported") {
  ShopCluster world;
  const auto fails = world.fail_pages(webhook_error(500));
  world.open();
  REQUIRE(world.eventually_is("Stalled", "True CreateFailed"));

  world.crash_manager();
  REQUIRE(world.start_manager());
  CHECK(world.stalled_during(1min) == std::vector<std::string>{"True CreateFailed"});
  CHECK(*fails);
}

Reconciled label(const Namespace& ns, Pass<Namespace>& pass) {
  ConfigMap page{.metadata = {.name = "page", .ns = ns.metadata.name}, .data = {{"title", "hello"}}};
  KEELSON_CO_TRY(co_await pass.apply(page));
  co_return done();
}

TEST_CASE("the controller of a kind without a status reports a persistent error by an Event") {
  ShopCluster world(controller_for<Namespace>(label).owns<ConfigMap>());
  const auto fails = world.fail_pages(webhook_error(500));
  REQUIRE(world.create(kube::resource_of<Namespace>(), "", "apiVersion: v1\nkind: Namespace\nmetadata: {name: team}"));

  REQUIRE(world.eventually([&] { return world.warnings("CreateFailed") == 1; }, 1min));
  CHECK(*fails);
}

TEST_CASE("every built-in kind reports persistent errors of its writes, with an observed generation") {
  for (auto& row : testing::every_kind()) {
    const auto resource = row.definition.resource();
    INFO(resource.kind);
    ShopCluster world(std::move(row.definition));
    int failures = 0;
    const auto fails = world.fail_writes(
        [&](const RequestInfo& r) {
          const bool is_child = r.resource != resource && r.resource != kube::events();
          failures += is_child ? 1 : 0;
          return is_child;
        },
        webhook_error(500));
    REQUIRE(world.create(resource, "default", testing::object_of(resource, row.spec)));
    world.pass(10min);

    if (failures == 0) continue;  // Guestbook has no children
    CHECK(world.condition("Ready", resource).starts_with("False"));
    CHECK(world.condition("Stalled", resource).starts_with("True"));
    CHECK(world.is_observed(resource));
    CHECK(world.explain_object(resource, kOne).find("failed calling webhook") != std::string::npos);
    CHECK(world.warnings("CreateFailed") + world.warnings("FailedCreate") == 1);
    CHECK(*fails);
  }
}

}  // namespace
}  // namespace keelson
