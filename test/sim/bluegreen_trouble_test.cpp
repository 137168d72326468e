// The BlueGreen controller when children are refused, bent or taken away: who was served is not forgotten, and the
// status tells of it.
#include <catch2/catch_test_macros.hpp>

#include "src/controllers/bluegreen/bluegreen.hpp"
#include "test/sim/bluegreen_world.hpp"

namespace keelson::test {
namespace {

using namespace std::chrono_literals;
using controllers::BlueGreen;
using sandbox::RequestInfo;

constexpr const char* kWhenReady = R"(,"switchPolicy":"WhenReady")";

// Green's image never becomes ready.
void ask_for_broken_green(BlueGreenWorld& world) {
  world.patch(kube::resource_of<BlueGreen>(), kDemo,
              R"({"spec":{"routeTo":"Green","greenSpec":)" + pods("green", "broken") + "}}");
}

void start_with_blue(BlueGreenWorld& world) {
  world.server.image_works([](const std::string& image) { return image != "broken"; });
  world.start_manager();
  world.apply("Blue", kWhenReady);
  REQUIRE(world.eventually([&] { return world.is_ready("Blue") && !world.is_progressing(); }));
}

std::shared_ptr<void> forbid_writes(BlueGreenWorld& world, const kube::Resource& resource) {
  return world.server.forbid(
      [resource](const RequestInfo& r) { return r.user == "manager" && r.is_write() && r.resource == resource; });
}

TEST_CASE("WhenReady: a deleted Service that may not be created for a while selects the same colour afterwards") {
  BlueGreenWorld world;
  start_with_blue(world);
  auto refused = forbid_writes(world, kube::services());

  world.remove(kube::services(), kDemo);
  REQUIRE(world.eventually([&] { return world.condition("Stalled") == "True CreateFailed"; }, 5s));
  CHECK(world.condition("Available") == "False NoService");
  CHECK(world.told_route() == "Blue");
  ask_for_broken_green(world);
  // A server with CEL refuses this one.
  world.patch(kube::resource_of<BlueGreen>(), kDemo, R"({"spec":{"blueSpec":null}})");
  world.pass(1min);
  CHECK(world.exists(kube::deployments(), kBlueDeployment));
  refused.reset();

  REQUIRE(world.eventually([&] { return !world.served().empty(); }, 20min));
  CHECK(world.served() == "Blue");
}

TEST_CASE("WhenReady: a stranger takes the Service's name for a while, and traffic returns to the same colour") {
  BlueGreenWorld world;
  start_with_blue(world);
  auto refused = forbid_writes(world, kube::services());
  world.remove(kube::services(), kDemo);
  world.create(kube::services(), "default",
               R"({"apiVersion":"v1","kind":"Service","metadata":{"name":"demo"},"spec":{"ports":[{"port":1}]}})");
  refused.reset();
  REQUIRE(world.eventually([&] { return world.condition("Stalled") == "True NotOwned"; }, 5s));

  ask_for_broken_green(world);
  world.pass(10s);
  CHECK(world.told_route() == "Blue");
  world.remove(kube::services(), kDemo);

  REQUIRE(world.eventually([&] { return !world.served().empty(); }, 20min));
  CHECK(world.served() == "Blue");
}

TEST_CASE("WhenReady: a selector that somebody turns to the other colour is turned back, and not adopted") {
  BlueGreenWorld world;
  start_with_blue(world);
  ask_for_broken_green(world);
  REQUIRE(world.eventually([&] { return world.condition("TrafficSwitched") == "False WaitingForRollout"; }, 5s));

  world.patch(kube::services(), kDemo, R"({"spec":{"selector":{"app.kubernetes.io/phase":"Green"}}})");

  REQUIRE(world.eventually([&] { return world.served() == "Blue"; }, 5s));
  world.pass(10s);
  CHECK(world.served() == "Blue");
}

TEST_CASE("WhenReady: a Service without our annotation goes on with what the status tells") {
  BlueGreenWorld world;
  start_with_blue(world);
  ask_for_broken_green(world);
  REQUIRE(world.eventually([&] { return world.condition("TrafficSwitched") == "False WaitingForRollout"; }, 5s));

  world.patch(kube::services(), kDemo,
              R"({"metadata":{"annotations":{"keelson.dev/applied-hash":null}},)"
              R"("spec":{"selector":{"app.kubernetes.io/phase":"Green"}}})");

  REQUIRE(world.eventually([&] { return world.served() == "Blue"; }, 5s));
}

TEST_CASE("WhenReady: a Deployment that is being deleted gets no traffic") {
  BlueGreenWorld world;
  start_with_blue(world);
  world.patch(kube::deployments(), kGreenDeployment, R"({"metadata":{"finalizers":["example.com/slow"]}})");
  world.remove(kube::deployments(), kGreenDeployment);
  world.pass(5s);

  world.route_to("Green");
  world.pass(1min);
  CHECK(world.served() == "Blue");
  CHECK(world.message("TrafficSwitched").find("Green: the Deployment is being deleted") != std::string::npos);
  world.patch(kube::deployments(), kGreenDeployment, R"({"metadata":{"finalizers":null}})");

  REQUIRE(world.eventually([&] { return world.is_ready("Green"); }));
}

TEST_CASE("a status is not held back when the next try may be far") {
  BlueGreenWorld world;
  start_with_blue(world);
  auto refused = forbid_writes(world, kube::services());
  world.patch(kube::services(), kDemo, R"({"spec":{"selector":{"app.kubernetes.io/phase":"Purple"}}})");
  REQUIRE(world.eventually([&] { return world.condition("Stalled") == "True UpdateFailed"; }, 5s));
  world.pass(20min);

  world.patch(kube::deployments(), kBlueDeployment, R"({"spec":{"replicas":3}})");

  REQUIRE(world.eventually([&] { return world.ready_replicas("blue") == 3; }, 5s));
}

TEST_CASE("a webhook that does not work hides no loss of pods, and nothing looks settled") {
  BlueGreenWorld world;
  start_with_blue(world);
  Error broken(Error::Kind::kStatus, "");
  broken.code = 500;
  broken.reason = "InternalError";
  auto is_green = [](const RequestInfo& r) { return r.user == "manager" && r.is_write() && r.key == kGreenDeployment; };
  for (int i = 0; i < 100; ++i) world.server.fail_next(is_green, broken);
  world.patch(kube::resource_of<BlueGreen>(), kDemo, R"({"spec":{"greenSpec":)" + pods("green", "app:2") + "}}");
  world.pass(10min);
  CHECK(world.condition("Progressing") == "True RollingOut");
  CHECK(world.condition("Stalled").empty());

  world.patch(kube::deployments(), kBlueDeployment, R"({"spec":{"replicas":0}})");

  REQUIRE(world.eventually([&] { return world.condition("Available") == "False NoPodReady"; }, 5s));
}

TEST_CASE("a switch whose write fails does not say that it waits for a rollout") {
  BlueGreenWorld world;
  world.start_manager();
  world.apply("Blue");
  REQUIRE(world.eventually([&] { return world.is_ready("Blue") && !world.is_progressing(); }));
  auto is_service = [](const RequestInfo& r) { return r.user == "manager" && r.resource == kube::services(); };
  auto is_write = [is_service](const RequestInfo& r) { return is_service(r) && r.is_write(); };
  for (int i = 0; i < 12; ++i) world.server.fail_next(is_write, transport("reset"));

  world.route_to("Green");

  REQUIRE(world.eventually([&] { return world.condition("TrafficSwitched") == "False SwitchFailed"; }, 5s));
  REQUIRE(world.eventually([&] { return world.is_ready("Green"); }));
  CHECK(world.events("WaitingForRollout") == 0);
}

TEST_CASE("a stored routeTo that is no colour leaves the Service alone and says so") {
  BlueGreenWorld world;
  start_with_blue(world);

  world.patch_against_schema(R"({"spec":{"routeTo":"Purple"}})");
  REQUIRE(world.eventually([&] { return world.condition("Stalled") == "True UnknownColour"; }, 5s));
  world.pass(10s);
  CHECK(world.served() == "Blue");
  CHECK(world.told_route() == "Blue");
  CHECK(world.condition("Available") == "True PodsReady");
  CHECK(world.condition("TrafficSwitched") == "False UnknownColour");
  world.route_to("Green");

  REQUIRE(world.eventually([&] { return world.is_ready("Green"); }));
  CHECK(world.condition("Stalled").empty());
}

}  // namespace
}  // namespace keelson::test
