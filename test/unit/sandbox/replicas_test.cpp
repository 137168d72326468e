#include "keelson/detail/sandbox/replicas.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/sandbox/replica_faults.hpp"
#include "test/unit/sandbox/shop.hpp"

namespace keelson::sandbox {
namespace {

using namespace std::chrono_literals;

const std::vector<controller::Definition> kOperator{shop(applies(kube::services(), service(R"("targetPort":8080)")))};

bool has_service(const Replicas& replicas) { return !replicas.server.objects(kube::services()).empty(); }

std::size_t leader_of(Replicas& replicas) {
  for (std::size_t index = 0; index < replicas.count(); ++index) {
    if (replicas.at(index).leads()) return index;
  }
  return replicas.count();
}

}  // namespace

TEST_CASE("one of the replicas is the leader, and a standby acquires the lease after the leader is killed") {
  Replicas replicas(kOperator, {.count = 3});
  REQUIRE(replicas.eventually([&] { return replicas.leaders() == 1; }));
  REQUIRE(replicas.create(kShops, "default", kCornerYaml));
  REQUIRE(replicas.eventually([&] { return has_service(replicas); }));

  const auto first = leader_of(replicas);
  replicas.at(first).kill();

  CHECK(replicas.leaders() == 0);
  CHECK(replicas.eventually([&] { return replicas.leaders() == 1 && leader_of(replicas) != first; }));
  CHECK(replicas.writers() == 1);
}

TEST_CASE("a replica that stops releases its lease, and a partitioned one loses it") {
  Replicas replicas(kOperator);
  REQUIRE(replicas.eventually([&] { return replicas.leaders() == 1; }));
  const auto first = leader_of(replicas);
  replicas.at(first).stop();
  REQUIRE(replicas.eventually([&] { return replicas.leaders() == 1 && leader_of(replicas) != first; }, 5s));

  static_cast<void>(replicas.at(first));  // starts it again
  auto& second = replicas.at(leader_of(replicas));
  second.cut_off();
  CHECK(replicas.eventually([&] { return replicas.leaders() == 1 && !second.leads(); }, 1min));
  CHECK_FALSE(second.may_write());
}

TEST_CASE("a leader that was paused for longer than its lease writes nothing after it resumes") {
  Replicas replicas(kOperator);
  REQUIRE(replicas.eventually([&] { return replicas.leaders() == 1; }));
  auto& paused = replicas.at(leader_of(replicas));

  paused.pause();
  replicas.pass(1min);
  CHECK_FALSE(paused.may_write());
  paused.resume();

  CHECK(replicas.eventually([&] { return replicas.leaders() == 1; }));
  CHECK(replicas.writers() == 1);
}

TEST_CASE("problems of the operator fail the conditions of replicas") {
  Replicas replicas({shop_without_rules(applies(kube::services(), service(R"("targetPort":8080)")))});
  REQUIRE(replicas.create(kShops, "default", kCornerYaml));

  CHECK_FALSE(replicas.eventually([&] { return has_service(replicas); }));

  REQUIRE_FALSE(replicas.problems().empty());
  CHECK(replicas.problems().front().text.find("add .rbac(") != std::string::npos);
}

TEST_CASE("a seed of faults always gives the same run, in which two replicas never write at the same time") {
  auto run = [](std::uint64_t seed) {
    ReplicaFaults faults(kOperator, seed);
    REQUIRE(faults.replicas.create(kShops, "default", kCornerYaml));
    faults.disturb(60s, [] {});
    faults.repair();
    faults.pass(60s);
    CHECK(faults.most_writers() == 1);
    CHECK(faults.stale_writer() == "");
    CHECK(faults.replicas.leaders() == 1);
    CHECK(has_service(faults.replicas));
    return std::pair(faults.replicas.server.resource_version(), faults.leaders_so_far());
  };

  const auto once = run(7);

  CHECK(run(7) == once);
  CHECK(run(8) != once);
}

}  // namespace keelson::sandbox
