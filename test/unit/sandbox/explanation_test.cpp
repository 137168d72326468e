#include "src/sandbox/simulation/explanation.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "test/support/text_parts.hpp"
#include "test/unit/sandbox/shop.hpp"

namespace keelson::sandbox {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using testing::contains;

// Fails, and records an Event about the failure.
Task<void> fail(controller::Context& context, kube::Object shop, Logger) {
  context.events.record(kShops, shop, controller::EventRecorder::Type::kWarning, "NoRoom", "Reconcile", "no room");
  co_return invalid_error("the street is full");
}

}  // namespace

TEST_CASE("the explanation of a condition that stays false has errors, objects, conditions and Events") {
  std::string printed;
  SimulatedCluster cluster(shop(fail), {.print = [&](const std::string& text) { printed += text; }});
  REQUIRE(cluster.start_manager());
  REQUIRE(
      cluster.create(kShops, "default",
                     std::string(kCornerYaml) +
                         "status: {observedGeneration: -1, conditions: [{type: Ready, status: 'False', reason: New, "
                         "message: not yet}]}"));

  CHECK_FALSE(cluster.eventually([&] { return !cluster.get(kube::services(), kCorner).root().is_null(); }, 2min));

  INFO(printed);
  CHECK(printed.starts_with("eventually: gave up after 2m0s of simulated time.\n"));
  CHECK(contains(printed, "Objects that the condition reads:\n    Service default/corner: does not exist\n"));
  CHECK(contains(printed,
                 "Reconciler error: the street is full controller=\"shop\" namespace=\"default\" name=\"corner\" ("));
  CHECK(contains(printed, "  shops.shop.example.com:\n    Shop default/corner\n"));
  CHECK(contains(printed, "Event Warning NoRoom: no room"));
}

TEST_CASE("an explanation has the children of the own objects, and reports kinds without objects") {
  std::string printed;
  SimulatedCluster cluster(shop(applies(kube::deployments(), deployment(R"("containers":[{"name":"c","image":"i"}])"))),
                           {.print = [&](const std::string& text) { printed += text; }});
  REQUIRE(cluster.start_manager());
  cluster.pass(1s);
  CHECK(contains(cluster.explanation(), "shops.shop.example.com: none"));
  REQUIRE(cluster.create(kShops, "default", kCornerYaml));
  cluster.pass(1min);

  INFO(cluster.explanation());
  CHECK(contains(cluster.explanation(), "deployments.apps that they control:\n    Deployment default/corner\n"));
  CHECK(contains(cluster.explanation(), "      Available=True MinimumReplicasAvailable: "));
  cluster.crash_manager();
  CHECK(contains(cluster.explanation(), "No manager is running: call start_manager()."));
}

TEST_CASE("an explanation is short, however many objects and errors there are") {
  SimulatedCluster cluster(shop(fail), {.print = [](const std::string&) {}});
  REQUIRE(cluster.start_manager());
  for (int i = 0; i < 60; ++i) {
    REQUIRE(cluster.create(
        kShops, "default",
        "apiVersion: shop.example.com/v1\nkind: Shop\nmetadata: {name: shop-" + std::to_string(i) + "}\n"));
  }
  cluster.pass(1min);

  const auto text = cluster.explanation();

  CHECK(std::ranges::count(text, '\n') < 40);
  CHECK(contains(text, "and 50 more"));
}

TEST_CASE("several controllers work in one cluster") {
  const kube::Resource kStalls("shop.example.com", "v1", "Stall", "stalls");
  int stalls = 0;
  auto open = [&](controller::Context&, kube::Object, Logger) -> Task<void> {
    ++stalls;
    co_return Result<void>();
  };
  SimulatedCluster cluster({shop(applies(kube::services(), service(R"("targetPort":1)"))), shop(open, kStalls)});
  REQUIRE(cluster.start_manager());
  REQUIRE(cluster.create(kShops, "default", kCornerYaml));
  REQUIRE(cluster.create(kStalls, "default", "{apiVersion: shop.example.com/v1, kind: Stall, metadata: {name: s}}"));

  CHECK(cluster.eventually([&] { return stalls > 0 && !cluster.get(kube::services(), kCorner).root().is_null(); }));
}

}  // namespace keelson::sandbox
