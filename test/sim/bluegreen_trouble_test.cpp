// The BlueGreen controller when children are rejected, changed or deleted: traffic returns to the same color, and the
// status reports the problem.
#include <catch2/catch_test_macros.hpp>

#include "src/kinds/bluegreen/bluegreen.hpp"
#include "test/sim/bluegreen_world.hpp"
#include "test/sim/webhook_error.hpp"
#include "test/support/result_of.hpp"

namespace keelson::testing {
namespace {

using namespace std::chrono_literals;
using kinds::BlueGreen;
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

TEST_CASE("WhenReady: a deleted Service whose create is rejected for a while selects the same color afterward") {
  BlueGreenWorld world;
  start_with_blue(world);
  auto rejected = forbid_writes(world, kube::services());

  world.remove(kube::services(), kDemo);
  REQUIRE(world.eventually([&] { return world.condition("Stalled") == "True CreateFailed"; }, 5s));
  CHECK(world.condition("Available") == "False NoService");
  CHECK(world.told_route() == "Blue");
  ask_for_broken_green(world);
  // A server with CEL rejects this.
  world.patch(kube::resource_of<BlueGreen>(), kDemo, R"({"spec":{"blueSpec":null}})");
  world.pass(1min);
  CHECK(world.exists(kube::deployments(), kBlueDeployment));
  rejected.reset();

  REQUIRE(world.eventually([&] { return !world.served().empty(); }, 20min));
  CHECK(world.served() == "Blue");
}

TEST_CASE("WhenReady: after a Service that is not owned had the name for a while, traffic returns to the same color") {
  BlueGreenWorld world;
  start_with_blue(world);
  auto rejected = forbid_writes(world, kube::services());
  world.remove(kube::services(), kDemo);
  world.create(kube::services(), "default",
               R"({"apiVersion":"v1","kind":"Service","metadata":{"name":"demo"},"spec":{"ports":[{"port":1}]}})");
  rejected.reset();
  REQUIRE(world.eventually([&] { return world.condition("Stalled") == "True NotOwned"; }, 5s));

  ask_for_broken_green(world);
  world.pass(10s);
  CHECK(world.told_route() == "Blue");
  world.remove(kube::services(), kDemo);

  REQUIRE(world.eventually([&] { return !world.served().empty(); }, 20min));
  CHECK(world.served() == "Blue");
}

TEST_CASE("WhenReady: a selector that another client changes to the other color is restored, not adopted") {
  BlueGreenWorld world;
  start_with_blue(world);
  ask_for_broken_green(world);
  REQUIRE(world.eventually([&] { return world.condition("TrafficSwitched") == "False WaitingForRollout"; }, 5s));

  world.patch(kube::services(), kDemo, R"({"spec":{"selector":{"app.kubernetes.io/phase":"Green"}}})");

  REQUIRE(world.eventually([&] { return world.served() == "Blue"; }, 5s));
  world.pass(10s);
  CHECK(world.served() == "Blue");
}

TEST_CASE("WhenReady: a Service without our annotation selects the color that the status has") {
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

TEST_CASE("a status is written although the next retry may be far away") {
  BlueGreenWorld world;
  start_with_blue(world);
  auto rejected = forbid_writes(world, kube::services());
  world.patch(kube::services(), kDemo, R"({"spec":{"selector":{"app.kubernetes.io/phase":"Purple"}}})");
  REQUIRE(world.eventually([&] { return world.condition("Stalled") == "True UpdateFailed"; }, 5s));
  world.pass(20min);

  world.patch(kube::deployments(), kBlueDeployment, R"({"spec":{"replicas":3}})");

  REQUIRE(world.eventually([&] { return world.ready_replicas("blue") == 3; }, 5s));
}

TEST_CASE("while a webhook fails, the status reports lost pods and does not claim to be complete") {
  BlueGreenWorld world;
  start_with_blue(world);
  const auto broken = webhook_error();
  auto is_green = [](const RequestInfo& r) { return r.user == "manager" && r.is_write() && r.key == kGreenDeployment; };
  for (int i = 0; i < 100; ++i) world.server.fail_next(is_green, broken);
  world.patch(kube::resource_of<BlueGreen>(), kDemo, R"({"spec":{"greenSpec":)" + pods("green", "app:2") + "}}");
  world.pass(8s);
  CHECK(world.condition("Progressing") == "True RollingOut");
  CHECK(world.condition("Stalled") == "-");
  world.pass(10min);
  CHECK(world.condition("Progressing") == "False Stopped");
  CHECK(world.condition("Stalled") == "True UpdateFailed");

  world.patch(kube::deployments(), kBlueDeployment, R"({"spec":{"replicas":0}})");

  REQUIRE(world.eventually([&] { return world.condition("Available") == "False NoPodReady"; }, 5s));
}

TEST_CASE("a pass whose connection is lost does not withdraw the failure that an earlier one has reported") {
  BlueGreenWorld world;
  start_with_blue(world);
  const auto broken = webhook_error();
  bool is_lost = false;
  int lost = 0;
  const auto is_green = [](const RequestInfo& r) {
    return r.user == "manager" && r.is_write() && r.key == kGreenDeployment;
  };
  for (int i = 0; i < 3; ++i) {
    world.server.fail_next([&](const RequestInfo& r) { return is_lost && is_green(r) && ++lost > 0; },
                           transport_error("the server sent GOAWAY"));
  }
  for (int i = 0; i < 100; ++i) {
    world.server.fail_next([&](const RequestInfo& r) { return !is_lost && is_green(r); }, broken);
  }
  world.patch(kube::resource_of<BlueGreen>(), kDemo, R"({"spec":{"greenSpec":)" + pods("green", "app:2") + "}}");
  REQUIRE(world.eventually([&] { return world.condition("Stalled") == "True UpdateFailed"; }, 5min));

  is_lost = true;
  for (int i = 0; i < 600 && lost < 3; ++i) {
    world.pass(1s);
    if (lost == 3) break;
    CHECK(world.condition("Stalled") == "True UpdateFailed");
    CHECK(world.condition("Degraded") == "True UpdateFailed");
  }
  CHECK(lost == 3);
  REQUIRE(world.eventually([&] { return world.condition("Stalled") == "-"; }, 20min));
}

TEST_CASE("a switch whose write fails is not reported as waiting for a rollout") {
  BlueGreenWorld world;
  world.start_manager();
  world.apply("Blue");
  REQUIRE(world.eventually([&] { return world.is_ready("Blue") && !world.is_progressing(); }));
  auto is_service = [](const RequestInfo& r) { return r.user == "manager" && r.resource == kube::services(); };
  auto is_write = [is_service](const RequestInfo& r) { return is_service(r) && r.is_write(); };
  for (int i = 0; i < 12; ++i) world.server.fail_next(is_write, transport_error("reset"));

  world.route_to("Green");

  REQUIRE(world.eventually([&] { return world.condition("TrafficSwitched") == "False SwitchFailed"; }, 5s));
  REQUIRE(world.eventually([&] { return world.is_ready("Green"); }));
  CHECK(world.events("WaitingForRollout") == 0);
}

TEST_CASE("with a stored routeTo that is not a color, the Service is left alone and the status reports it") {
  BlueGreenWorld world;
  start_with_blue(world);

  world.patch_against_schema(R"({"spec":{"routeTo":"Purple"}})");
  REQUIRE(world.eventually([&] { return world.condition("Stalled") == "True UnknownColor"; }, 5s));
  world.pass(10s);
  CHECK(world.served() == "Blue");
  CHECK(world.told_route() == "Blue");
  CHECK(world.condition("Available") == "True PodsReady");
  CHECK(world.condition("TrafficSwitched") == "False UnknownColor");
  world.route_to("Green");

  REQUIRE(world.eventually([&] { return world.is_ready("Green"); }));
  CHECK(world.condition("Stalled") == "-");
}

// The status of the color's pod as a kubelet writes it: its container waits for the next attempt after a crash.
void crash_pod_of(BlueGreenWorld& world, const std::string& color) {
  for (const auto& pod : world.server.objects(kube::pods())) {
    if (pod.label("app.kubernetes.io/phase") != color) continue;
    const std::string ended = R"({"terminated":{"exitCode":1,"reason":"Error"}})";
    const auto status = R"({"status":{"conditions":[{"type":"Ready","status":"False","reason":"ContainersNotReady"}],)"
                        R"("containerStatuses":[{"name":"c","image":"i","imageID":"","ready":false,"restartCount":3,)"
                        R"("state":{"waiting":{"reason":"CrashLoopBackOff"}},"lastState":)" +
                        ended + "}]}}";
    REQUIRE(result_of(world.loop, kube::patch(world.server.client("kubelet"), kube::pods(), pod.key(),
                                              kube::PatchType::kMerge, status, "status")));
  }
}

TEST_CASE("pods that crash make a BlueGreen degraded, and not ready if their color has traffic, with a Warning each") {
  BlueGreenWorld world;
  world.start_manager();
  world.apply("Blue");
  REQUIRE(world.eventually([&] { return world.is_ready("Blue") && !world.is_progressing(); }));

  crash_pod_of(world, "Green");
  world.pass(5s);
  CHECK(world.condition("Degraded") == "True CrashLoopBackOff");
  CHECK(world.message("Degraded").starts_with("Green: Pod demogreen-deployment-"));
  CHECK(world.condition("Ready") == "True Serving");
  const auto explained = world.explain_object(kube::resource_of<BlueGreen>(), kDemo);
  INFO(explained);
  CHECK(explained.find("\nDegraded: CrashLoopBackOff: Green: Pod demogreen-deployment-") != std::string::npos);
  CHECK(world.events("CrashLoopBackOff") == 1);

  crash_pod_of(world, "Blue");
  world.pass(5s);
  CHECK(world.condition("Degraded") == "True CrashLoopBackOff");
  CHECK(world.condition("Ready") == "False CrashLoopBackOff");
  CHECK(world.condition("Stalled") == "-");
  CHECK(world.message("Degraded").starts_with("Blue: Pod demoblue-deployment-"));
  CHECK(world.message("Degraded").ends_with("container c crashes, exit code 1 (Error), 3 restarts."));
  CHECK(world.events("CrashLoopBackOff") == 2);
}

}  // namespace
}  // namespace keelson::testing
