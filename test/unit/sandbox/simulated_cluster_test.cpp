#include "keelson/sandbox/simulated_cluster.hpp"

#include <catch2/catch_test_macros.hpp>

namespace keelson::sandbox {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

const kube::Resource kLamps("home.example.com", "v1", "Lamp", "lamps");
const kube::Key kDesk("default", "desk");
constexpr const char* kDeskYaml = "apiVersion: home.example.com/v1\nkind: Lamp\nmetadata: {name: desk}\n";

// The environment that each reconcile of a Lamp observed.
struct Look {
  std::string color;
  std::int64_t watts = 0;
};

class LampReconciler final : public controller::Reconciler {
 public:
  LampReconciler(controller::Context& context, std::vector<Look>& looks) : context_(context), looks_(looks) {}

  Task<controller::Outcome> reconcile(controller::Attempt&) override {
    const char* color = context_.environment("COLOUR");
    looks_.push_back({color != nullptr ? color : "none", context_.flag<std::int64_t>("watts")});
    co_return controller::Outcome::done();
  }

 private:
  controller::Context& context_;
  std::vector<Look>& looks_;
};

controller::Definition lamp(std::vector<Look>& looks) {
  kube::Kind kind;
  kind.resource = kLamps;
  kind.singular = "lamp";
  return controller::define(kind)
      .flag<std::int64_t>("watts", 0, "Of each lamp.")
      .reconciled_by(
          [&looks](controller::Context& context) { return std::make_unique<LampReconciler>(context, looks); });
}

TEST_CASE("a manager has the environment and the flags that were set when it started") {
  std::vector<Look> looks;
  SimulatedCluster cluster(lamp(looks));
  REQUIRE(cluster.create(kLamps, "default", kDeskYaml));
  REQUIRE(cluster.start_manager());
  REQUIRE(cluster.eventually([&] { return !looks.empty(); }));
  CHECK(looks.back().color == "none");
  CHECK(looks.back().watts == 0);

  cluster.crash_manager();
  cluster.crash_manager();  // there is no manager any more
  CHECK_FALSE(cluster.manager_runs());
  cluster.environment["COLOUR"] = "red";
  cluster.flags["watts"] = 40;
  looks.clear();
  REQUIRE(cluster.start_manager());

  REQUIRE(cluster.eventually([&] { return !looks.empty(); }));
  CHECK(looks.back().color == "red");
  CHECK(looks.back().watts == 40);
}

TEST_CASE("objects are YAML or JSON, and a rejection is an error") {
  std::vector<Look> looks;
  SimulatedCluster cluster(lamp(looks));
  REQUIRE(cluster.create(kLamps, "default", kDeskYaml));
  REQUIRE(cluster.create(kLamps, "default",
                         R"({"apiVersion":"home.example.com/v1","kind":"Lamp","metadata":{"name":"floor"}})"));

  auto again = cluster.create(kLamps, "default", kDeskYaml);
  REQUIRE_FALSE(again);
  CHECK(kube::is_already_exists(again.error()));
  CHECK_FALSE(cluster.create(kLamps, "default", "a: [b"));
  REQUIRE(cluster.patch(kLamps, kDesk, "spec: {is_on: true}"));
  CHECK(cluster.get(kLamps, kDesk).root().at({"spec", "is_on"}).boolean() == true);
  REQUIRE(cluster.remove(kLamps, kDesk));
  CHECK(cluster.get(kLamps, kDesk).root().is_null());
}

TEST_CASE("a patch of the status changes nothing else, and any other patch leaves the status alone") {
  const kube::Resource claims("", "v1", "PersistentVolumeClaim", "persistentvolumeclaims");
  std::vector<Look> looks;
  SimulatedCluster cluster(lamp(looks));
  REQUIRE(cluster.create(claims, "default",
                         "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: desk}, spec: {accessModes: "
                         "[ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}"));
  auto text = [&](std::initializer_list<std::string_view> path) {
    return cluster.get(claims, kDesk).root().at(path).text();
  };

  REQUIRE(cluster.patch(claims, kDesk, "{spec: {volumeName: disk}, status: {phase: Bound}}", "status"));
  CHECK(text({"status", "phase"}) == R"("Bound")");
  CHECK(text({"spec", "volumeName"}) == "null");

  REQUIRE(cluster.patch(claims, kDesk, "{spec: {volumeName: disk}, status: {phase: Lost}}"));
  CHECK(text({"status", "phase"}) == R"("Bound")");
  CHECK(text({"spec", "volumeName"}) == R"("disk")");
}

TEST_CASE("time passes until a condition holds, up to its limit") {
  std::vector<Look> looks;
  SimulatedCluster cluster(lamp(looks));
  const auto began = cluster.loop.clock().now();

  CHECK_FALSE(cluster.eventually([] { return false; }, 10min));

  CHECK(cluster.loop.clock().now() - began == 10min);
  cluster.pass(1h);
  CHECK(cluster.loop.clock().now() - began == 1h + 10min);
}

}  // namespace
}  // namespace keelson::sandbox
