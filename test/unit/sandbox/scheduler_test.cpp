#include <catch2/catch_test_macros.hpp>

#include "test/unit/sandbox/fleet.hpp"

namespace keelson::sandbox {
namespace {
using fixtures::Fleet;
using std::chrono::seconds;

ApiServerOptions whole_cluster() {
  ApiServerOptions options;
  options.has_cluster_objects = true;
  return options;
}

constexpr const char* kPicky =
    R"({"metadata":{"name":"p"},"spec":{"nodeSelector":{"no":"such"},"containers":[{"name":"c","image":"i"}]}})";
constexpr const char* kNowhere =
    "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector. preemption: 0/1 nodes are "
    "available: 1 Preemption is not helpful for scheduling.";

TEST_CASE("a pod that fits on no node waits, reports it, and runs when there is a node") {
  Fleet fleet(whole_cluster());
  fleet.create(kube::pods(), kPicky);
  fleet.pass(seconds(5));

  CHECK(fleet.value(kube::pods(), "p", {"status", "phase"}) == "Pending");
  auto conditions = fleet.value(kube::pods(), "p", {"status", "conditions"});
  CHECK(conditions.find(kNowhere) != std::string::npos);
  CHECK(conditions.find(R"("reason":"Unschedulable")") != std::string::npos);
  CHECK(fleet.count(kube::Resource("", "v1", "Event", "events")) == 1);

  fleet.patch(kube::nodes(), "node-1", R"({"metadata":{"labels":{"no":"such"}}})");
  fleet.pass(seconds(5));

  CHECK(fleet.value(kube::pods(), "p", {"status", "phase"}) == "Running");
  CHECK(fleet.value(kube::pods(), "p", {"spec", "nodeName"}) == "node-1");
}

TEST_CASE("a pod is bound to a node whose taints it tolerates") {
  Fleet fleet(whole_cluster());
  fleet.patch(kube::nodes(), "node-1", R"({"spec":{"taints":[{"key":"k","effect":"NoSchedule"}]}})");
  fleet.create(kube::pods(), R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}]}})");
  fleet.pass(seconds(5));

  auto conditions = fleet.value(kube::pods(), "p", {"status", "conditions"});
  CHECK(conditions.find("1 node(s) had untolerated taint(s).") != std::string::npos);

  fleet.create(kube::nodes(), R"({"metadata":{"name":"node-2"}})");
  fleet.pass(seconds(5));

  CHECK(fleet.value(kube::pods(), "p", {"spec", "nodeName"}) == "node-2");
}

}  // namespace
}  // namespace keelson::sandbox
