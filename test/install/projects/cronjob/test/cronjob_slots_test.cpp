// The slots of an hour in the simulated cluster.
#include <catch2/catch_test_macros.hpp>

#include "cronjob/cronjob_controller.hpp"
#include "cronjob/cronjob_types.hpp"
#include "keelson/sandbox/simulated_cluster.hpp"

using namespace keelson;

TEST_CASE("cronjob: a Job runs each minute, and three of them are retained") {
  sandbox::SimulatedCluster cluster(cronjob::cronjob());
  REQUIRE(cluster.start_manager());
  const auto cronjobs = kube::resource_of<cronjob::CronJob>();
  REQUIRE(cluster.create(cronjobs, "default", controller::kind_of<cronjob::CronJob>().sample));

  cluster.pass(std::chrono::hours(1) + std::chrono::seconds(30));

  CHECK(cluster.problems().empty());
  CHECK(cluster.writes(kube::jobs(), "", 201) == 60);
  CHECK(cluster.writes(kube::jobs(), "", 200) >= 56);
}
