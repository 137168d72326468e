// The problem FailedCreate of a StatefulSet: no status of a rollout that works has it, at any moment.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "keelson/controller/stateful_set_rollout.hpp"
#include "keelson/kube/typed_object.hpp"
#include "keelson/sandbox/simulated_cluster.hpp"
#include "src/kinds/memcached/memcached.hpp"

namespace keelson::testing {
namespace {

using namespace std::chrono_literals;

const auto kSets = kube::resource_of<apps::v1::StatefulSet>();
const kube::Key kData("default", "data");

std::string set_of(const std::string& policy) {
  return R"({"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"name":"data"},"spec":{"replicas":1,"serviceName":)"
         R"("data","podManagementPolicy":")" +
         policy +
         R"(","selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":)"
         R"([{"name":"c","image":"i:1"}]}}}})";
}

struct Statefully : sandbox::SimulatedCluster {
  Statefully() : SimulatedCluster(kinds::memcached()) {}

  [[nodiscard]] controller::Rollout rollout() {
    const auto sets = server.objects(kSets);
    REQUIRE(sets.size() == 1);
    std::vector<core::v1::Pod> pods;
    for (const auto& pod : server.objects(kube::pods())) pods.push_back(*kube::decode_object<core::v1::Pod>(pod));
    return controller::rollout_of(*kube::decode_object<apps::v1::StatefulSet>(sets.front()), pods,
                                  loop.clock().wall_now());
  }
  // Until the rollout is complete, and a moment longer: it begins after the change.
  void expect_no_problem() {
    for (int step = 0; step < 5000; ++step) {
      pass(1ms);
      const auto now = rollout();
      INFO(step << " " << (now.problem ? now.problem->message : ""));
      REQUIRE_FALSE(now.problem);
      if (step > 300 && now.is_complete()) return;
    }
    FAIL("the rollout is not complete");
  }
};

TEST_CASE("a StatefulSet that is created, scaled, changed and repaired never has a problem on the way") {
  for (const char* policy : {"OrderedReady", "Parallel"}) {
    INFO(policy);
    Statefully cluster;
    REQUIRE(cluster.create(kSets, "default", set_of(policy)));
    cluster.expect_no_problem();
    REQUIRE(cluster.patch(kSets, kData, R"({"spec":{"replicas":4}})"));
    cluster.expect_no_problem();
    REQUIRE(
        cluster.patch(kSets, kData, R"({"spec":{"template":{"spec":{"containers":[{"name":"c","image":"i:2"}]}}}})"));
    cluster.expect_no_problem();
    REQUIRE(cluster.remove(kube::pods(), {"default", "data-1"}));
    cluster.expect_no_problem();
    REQUIRE(cluster.patch(kSets, kData, R"({"spec":{"replicas":2}})"));
    cluster.expect_no_problem();
  }
}

}  // namespace
}  // namespace keelson::testing
