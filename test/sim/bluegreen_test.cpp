// The BlueGreen controller in simulation: what it writes, when traffic moves, and crashes at every write.
#include <catch2/catch_test_macros.hpp>

#include "src/kinds/bluegreen/bluegreen.hpp"
#include "test/sim/bluegreen_world.hpp"

namespace keelson::testing {
namespace {

using namespace std::chrono_literals;
using kinds::BlueGreen;
using sandbox::RequestInfo;
using sandbox::WriteFate;

TEST_CASE(
    "a new BlueGreen takes a single pass for its Service, Deployments and status, and a second status when it is "
    "ready") {
  BlueGreenWorld world;
  world.start_manager();

  world.apply("Blue");
  REQUIRE(world.eventually(
      [&] { return world.served() == "Blue" && world.writes(kube::resource_of<BlueGreen>(), "status", 200); }));

  CHECK(world.writes(kube::services(), "", 201) == 1);
  CHECK(world.writes(kube::deployments(), "", 201) == 2);
  CHECK(world.writes(kube::resource_of<BlueGreen>(), "status", 200) == 1);
  REQUIRE(world.eventually([&] { return world.is_ready("Blue") && !world.is_progressing(); }));
  CHECK(world.writes(kube::resource_of<BlueGreen>(), "status", 200) == 2);
  world.server.clear_log();
  world.pass(4min);
  for (const auto& request : world.server.log()) CHECK(request.verb == kube::Verb::kWatch);
}

TEST_CASE("B6, B9: a switch is one write of the Service and one of the status") {
  BlueGreenWorld world;
  world.start_manager();
  world.apply("Blue");
  REQUIRE(world.eventually([&] { return world.is_ready("Blue") && !world.is_progressing(); }));

  world.server.clear_log();
  world.route_to("Green");
  REQUIRE(world.eventually([&] { return world.is_ready("Green"); }));
  world.pass(1min);

  CHECK(world.writes(kube::services(), "", 200) == 1);
  CHECK(world.writes(kube::deployments(), "", 200) == 0);
  CHECK(world.writes(kube::resource_of<BlueGreen>(), "status", 200) == 1);
}

TEST_CASE("B10: drift of the Service and of the Deployments is corrected immediately") {
  BlueGreenWorld world;
  world.start_manager();
  world.apply("Blue");
  REQUIRE(world.eventually([&] { return world.is_ready("Blue") && !world.is_progressing(); }));

  world.patch(kube::services(), kDemo, R"({"spec":{"selector":{"app.kubernetes.io/phase":"Purple"}}})");
  world.patch(kube::deployments(), kBlueDeployment,
              R"({"spec":{"template":{"spec":{"containers":[{"name":"blue","image":"evil:1"}]}}}})");
  world.remove(kube::deployments(), kGreenDeployment);

  REQUIRE(world.eventually([&] { return world.served() == "Blue"; }, 5s));
  REQUIRE(world.eventually([&] { return world.image_of(kBlueDeployment) == "app:1"; }, 5s));
  REQUIRE(world.eventually([&] { return world.exists(kube::deployments(), kGreenDeployment); }, 5s));
}

TEST_CASE("B10: drift of the Service's target port is corrected immediately") {
  BlueGreenWorld world;
  world.start_manager();
  world.apply("Blue");
  REQUIRE(world.eventually([&] { return world.is_ready("Blue") && !world.is_progressing(); }));

  world.patch(kube::services(), kDemo,
              R"({"spec":{"ports":[{"name":"http","port":80,"protocol":"TCP","targetPort":9999}]}})");

  auto is_repaired = [&] {
    auto service = world.get(kube::services(), kDemo);
    return service.root().at({"spec", "ports"}).item(0).find("targetPort").integer() == 80;
  };
  CHECK(world.eventually(is_repaired, 5s));
}

TEST_CASE(
    "B13: fields of other managers are retained: replicas, the annotation of a restart, annotations of the Service") {
  BlueGreenWorld world;
  world.start_manager();
  world.apply("Blue");
  REQUIRE(world.eventually([&] { return world.is_ready("Blue") && !world.is_progressing(); }));
  const std::string restarted = R"({"kubectl.kubernetes.io/restartedAt":"2026-01-01T00:00:00Z"})";

  world.patch(kube::deployments(), kBlueDeployment,
              R"({"spec":{"replicas":3,"template":{"metadata":{"annotations":)" + restarted + "}}}}");
  world.patch(kube::services(), kDemo, R"({"metadata":{"annotations":{"mine":"stays"}}})");
  REQUIRE(world.eventually([&] { return world.ready_replicas("blue") == 3; }));
  world.server.clear_log();
  world.route_to("Green");
  REQUIRE(world.eventually([&] { return world.is_ready("Green"); }));

  auto deployment = world.get(kube::deployments(), kBlueDeployment);
  CHECK(deployment.root().at({"spec", "replicas"}).integer() == 3);
  CHECK(deployment.root().at({"spec", "template", "metadata", "annotations"}).text() == restarted);
  CHECK(world.get(kube::services(), kDemo).root().at({"metadata", "annotations", "mine"}).string() == "stays");
  CHECK(world.writes(kube::deployments(), "", 200) == 0);
}

TEST_CASE("B12: the Deployment of a color without a spec is deleted, unless the color receives traffic") {
  BlueGreenWorld world;
  world.start_manager();
  world.apply("Blue");
  REQUIRE(world.eventually([&] { return world.is_ready("Blue") && !world.is_progressing(); }));

  world.patch(kube::resource_of<BlueGreen>(), kDemo, R"({"spec":{"greenSpec":null}})");
  REQUIRE(world.eventually([&] { return !world.exists(kube::deployments(), kGreenDeployment); }, 5s));
  CHECK(world.writes(kube::deployments(), "", 200) == 1);
  world.patch_against_schema(R"({"spec":{"blueSpec":null}})");
  REQUIRE(world.eventually([&] { return world.condition("Stalled") == "True SpecMissing"; }, 5s));
  world.pass(10s);

  CHECK(world.exists(kube::deployments(), kBlueDeployment));
  CHECK(world.condition("Ready") == "False SpecMissing");
  CHECK(world.condition("Available") == "True PodsReady");
}

TEST_CASE(
    "WhenReady: a new Service selects routeTo immediately, and a later switch waits for the rollout and reports it "
    "once") {
  BlueGreenWorld world;
  world.server.image_works([](const std::string& image) { return image != "broken"; });
  world.start_manager();
  world.apply("Blue", R"(,"switchPolicy":"WhenReady")");
  REQUIRE(world.eventually([&] { return world.served() == "Blue"; }, 100ms));
  REQUIRE(world.eventually([&] { return world.is_ready("Blue") && !world.is_progressing(); }));

  world.patch(kube::resource_of<BlueGreen>(), kDemo,
              R"({"spec":{"routeTo":"Green","greenSpec":)" + pods("green", "broken") + "}}");
  REQUIRE(world.eventually([&] { return world.condition("TrafficSwitched") == "False WaitingForRollout"; }, 5s));
  world.pass(2min);
  CHECK(world.served() == "Blue");
  CHECK(world.condition("Available") == "True PodsReady");
  CHECK(world.events("WaitingForRollout") == 1);
  world.patch(kube::resource_of<BlueGreen>(), kDemo, R"({"spec":{"greenSpec":)" + pods("green", "app:2") + "}}");

  REQUIRE(world.eventually([&] { return world.is_ready("Green"); }));
  CHECK(world.served() == "Green");
  CHECK(world.condition("TrafficSwitched") == "True Switched");
  world.pass(10s);
  CHECK(world.events("TrafficSwitched") == 1);
  CHECK(world.events("WaitingForRollout") == 1);
}

TEST_CASE("WhenReady: a Service that is deleted while the switch waits is restored with the same selector") {
  BlueGreenWorld world;
  world.server.image_works([](const std::string& image) { return image != "broken"; });
  world.start_manager();
  world.apply("Blue", R"(,"switchPolicy":"WhenReady")");
  REQUIRE(world.eventually([&] { return world.is_ready("Blue") && !world.is_progressing(); }));
  world.patch(kube::resource_of<BlueGreen>(), kDemo,
              R"({"spec":{"routeTo":"Green","greenSpec":)" + pods("green", "broken") + "}}");
  REQUIRE(world.eventually([&] { return world.condition("TrafficSwitched") == "False WaitingForRollout"; }, 5s));

  world.remove(kube::services(), kDemo);

  REQUIRE(world.eventually([&] { return world.served() == "Blue"; }, 5s));
}

TEST_CASE("WhenReady: a color without pods gets no traffic, although its rollout is complete") {
  BlueGreenWorld world;
  world.start_manager();
  world.apply("Blue", R"(,"switchPolicy":"WhenReady")");
  REQUIRE(world.eventually([&] { return world.is_ready("Blue") && !world.is_progressing(); }));
  world.patch(kube::deployments(), kGreenDeployment, R"({"spec":{"replicas":0}})");
  REQUIRE(world.eventually([&] { return world.ready_replicas("green") == 0; }));

  world.route_to("Green");
  world.pass(1min);
  CHECK(world.served() == "Blue");
  world.patch(kube::deployments(), kGreenDeployment, R"({"spec":{"replicas":2}})");

  REQUIRE(world.eventually([&] { return world.is_ready("Green"); }));
}

TEST_CASE("WhenReady: the Deployment of the color that receives traffic is retained until the switch") {
  BlueGreenWorld world;
  world.server.image_works([](const std::string& image) { return image != "broken"; });
  world.start_manager();
  world.apply("Blue", R"(,"switchPolicy":"WhenReady")");
  REQUIRE(world.eventually([&] { return world.is_ready("Blue") && !world.is_progressing(); }));

  // A server with CEL rejects the removal.
  world.patch(kube::resource_of<BlueGreen>(), kDemo,
              R"({"spec":{"routeTo":"Green","blueSpec":null,"greenSpec":)" + pods("green", "broken") + "}}");
  world.pass(1min);
  CHECK(world.served() == "Blue");
  CHECK(world.exists(kube::deployments(), kBlueDeployment));
  CHECK(world.message("TrafficSwitched").find("The Deployment of Blue is retained until then.") != std::string::npos);
  world.patch(kube::resource_of<BlueGreen>(), kDemo, R"({"spec":{"greenSpec":)" + pods("green", "app:2") + "}}");

  REQUIRE(world.eventually([&] { return world.is_ready("Green"); }));
  REQUIRE(world.eventually([&] { return !world.exists(kube::deployments(), kBlueDeployment); }, 5s));
}

TEST_CASE("B14: a Service that is not owned is left alone without a busy loop, and replaced when it is gone") {
  BlueGreenWorld world;
  world.create(kube::services(), "default",
               R"({"apiVersion":"v1","kind":"Service","metadata":{"name":"demo"},"spec":{"ports":[{"port":1}]}})");
  world.start_manager();
  world.apply("Blue");
  REQUIRE(world.eventually([&] { return world.condition("Stalled") == "True NotOwned"; }, 5s));
  world.pass(10s);
  auto version = world.get(kube::services(), kDemo).root().at({"metadata", "resourceVersion"}).text();

  world.server.clear_log();
  world.pass(10min);
  CHECK(world.server.count([](const RequestInfo& r) {
    return r.user == "manager" && r.verb != kube::Verb::kWatch && r.resource != kube::events();
  }) == 0);
  CHECK(world.get(kube::services(), kDemo).root().at({"metadata", "resourceVersion"}).text() == version);
  world.remove(kube::services(), kDemo);

  REQUIRE(world.eventually([&] { return world.is_ready("Blue"); }, 10s));
  CHECK(world.condition("Stalled") == "-");
}

TEST_CASE("a manager that has just started does a consistent read before it moves traffic, and later does not") {
  BlueGreenWorld world;
  world.start_manager();
  world.apply("Blue");
  REQUIRE(world.eventually([&] { return world.is_ready("Blue") && !world.is_progressing(); }));
  auto lists = [&] { return world.server.count([](const RequestInfo& r) { return r.verb == kube::Verb::kList; }); };
  auto before = lists();

  world.route_to("Green");
  REQUIRE(world.eventually([&] { return world.is_ready("Green"); }));
  CHECK(lists() == before + 2);
  world.pass(2min);  // the watches have reported it
  world.route_to("Blue");
  REQUIRE(world.eventually([&] { return world.is_ready("Blue"); }));

  CHECK(lists() == before + 2);
}

TEST_CASE("a crash at any write never leaves traffic on a color that cannot serve, and every switch completes") {
  for (auto fate : {WriteFate::kLost, WriteFate::kReplyLost}) {
    for (int crash_at = 1; crash_at <= 12; ++crash_at) {
      INFO("crash at write " << crash_at << (fate == WriteFate::kLost ? ", lost" : ", done but not answered"));
      BlueGreenWorld world;
      world.watch_switches();
      int writes = 0;
      bool crash = false;
      world.server.before_write([&](const RequestInfo& request) {
        if (request.user != "manager" || crash || ++writes != crash_at) return WriteFate::kProceeds;
        crash = true;
        return fate;
      });
      world.start_manager();
      world.apply("Blue", R"(,"switchPolicy":"WhenReady")");

      for (int switched = 0; switched < 16 && !crash; ++switched) {
        (void)world.eventually([&] { return crash || !world.is_progressing(); }, 5s);
        if (!crash) world.switch_with_new_pods(switched);
      }
      (void)world.eventually([&] { return crash; }, 5s);
      REQUIRE(crash);
      world.crash_manager();
      world.start_manager();
      world.switch_with_new_pods(9);

      REQUIRE(world.eventually([&] { return world.is_ready(world.wanted()); }));
      CHECK(world.server.objects(kube::deployments()).size() == 2);
      CHECK(world.server.objects(kube::services()).size() == 1);
      CHECK(world.bad_switches().empty());
    }
  }
}

TEST_CASE("under WhenReady the selector never changes to a color without a ready pod, with any faults") {
  std::size_t switches = 0;
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    INFO("seed " << seed);
    BlueGreenWorld world(seed);
    base::Random chance(seed * 7919);
    world.server.image_works([](const std::string& image) { return image != "broken"; });
    world.watch_switches();
    world.start_manager();
    world.apply("Blue", R"(,"switchPolicy":"WhenReady")");

    for (int step = 0; step < 40; ++step) {
      world.pass(std::chrono::milliseconds(chance.between(5, 2000)));
      world.disturb(chance, step);
    }
    world.server.drop_watches();
    for (const auto& deployment : {kBlueDeployment, kGreenDeployment}) {
      if (world.exists(kube::deployments(), deployment)) {
        world.patch(kube::deployments(), deployment, R"({"spec":{"replicas":1}})");
      }
    }
    world.switch_with_new_pods(99);

    REQUIRE(world.eventually([&] { return world.is_ready(world.wanted()); }));
    INFO(world.bad_switches());
    CHECK(world.bad_switches().empty());
    switches += world.switches();
  }
  CHECK(switches > 100);
}

}  // namespace
}  // namespace keelson::testing
