// A child that another writer changes back again and again: updates become rare, and the conflict is reported.
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "src/kinds/memcached/memcached.hpp"
#include "test/sim/cluster_with_user.hpp"
#include "test/support/result_of.hpp"

namespace keelson::testing {
namespace {

using namespace std::chrono_literals;

const kube::Key kWeb("default", "web");
constexpr const char* kMemcached = R"({"apiVersion":"memcached.cache.example.com/v1","kind":"Memcached",
    "metadata":{"name":"web","namespace":"default"},"spec":{"size":3}})";

// A Memcached of size 3, and a writer that sets the replicas of its Deployment to 1.
struct ContestedMemcached : ClusterWithUser {
  ContestedMemcached() : ClusterWithUser(1, kinds::memcached()) {
    start_manager();
    create(kube::resource_of<kinds::Memcached>(), "default", kMemcached);
    REQUIRE(eventually([&] { return replicas() == 3 && ready_nodes() == 3; }));
  }
  std::int64_t replicas() {
    return get(kube::deployments(), kWeb).root().at({"spec", "replicas"}).integer().value_or(-1);
  }
  std::int64_t ready_nodes() {
    return get(kube::resource_of<kinds::Memcached>(), kWeb).root().at({"status", "readyNodes"}).integer().value_or(-1);
  }
  void change_back() {
    kube::ApiRequest request;
    request.verb = kube::Verb::kPatch;
    request.resource = kube::deployments();
    request.key = kWeb;
    request.body = R"({"spec":{"replicas":1}})";
    request.query = {{"fieldManager", other_manager}};
    REQUIRE(result_of(loop, server.client("user").send(request)));
  }
  // The other writer reacts to each correction, once per second.
  void fight(async::Duration time) {
    for (async::Duration passed{}; passed < time; passed += 1s) {
      if (replicas() != 1) change_back();
      pass(1s);
    }
  }
  std::size_t corrections() { return writes(kube::deployments(), "", 200); }
  std::string other_manager = "kubectl-edit";
  std::string conflict() {
    const auto document = get(kube::resource_of<kinds::Memcached>(), kWeb);
    for (const auto condition : document.root().at({"status", "conditions"}).items()) {
      if (condition.find("type").string() != "Conflict") continue;
      return std::string(condition.find("status").string().value_or("")) + ": " +
             std::string(condition.find("message").string().value_or(""));
    }
    return "";
  }
  std::size_t conflict_events() {
    std::size_t count = 0;
    for (const auto& event : server.objects(kube::events())) {
      count += event.json().find("\"FieldConflict\"") != std::string_view::npos ? 1 : 0;
    }
    return count;
  }
};

}  // namespace

TEST_CASE(
    "corrections that another writer undoes become rare, with one Event and a condition that names both writers") {
  ContestedMemcached cluster;

  cluster.fight(20s);

  CHECK(cluster.corrections() == 4);
  CHECK(cluster.conflict() ==
        "True: Deployment default/web: spec.replicas is changed by the field manager kubectl-edit and corrected by the "
        "field "
        "manager keelson again and again. It is now corrected once per 1m5s: let only one of them set the field.");
  CHECK(cluster.conflict_events() == 1);
  cluster.server.clear_log();
  cluster.fight(10min);
  CHECK(cluster.corrections() > 7);
  CHECK(cluster.corrections() < 10);
  CHECK(cluster.conflict_events() == 1);
  CHECK(cluster.sink.count("Reconciler error") == 0);
}

// The alert KeelsonWriteConflict needs a sign of each side.
TEST_CASE(
    "a manager that corrects what another one writes once per interval counts it before it detects the conflict") {
  ContestedMemcached cluster;
  const auto counted = [&] { return cluster.metrics().find("keelson_corrections_total{") != std::string::npos; };
  const auto detected = [&] { return cluster.metrics().find("keelson_contested_children{") != std::string::npos; };
  cluster.change_back();
  cluster.pass(65s);
  CHECK_FALSE(counted());

  for (int interval = 0; interval < 3; ++interval) {
    cluster.change_back();
    cluster.pass(65s);
  }

  CHECK(cluster.metrics().find("keelson_corrections_total{controller=\"memcached\"} 3\n") != std::string::npos);
  CHECK_FALSE(detected());
}

TEST_CASE("a conflict with a replica of the same operator names its field manager") {
  ContestedMemcached cluster;
  cluster.other_manager = "keelson";

  cluster.fight(20s);

  CHECK(cluster.conflict().starts_with(
      "True: Deployment default/web: spec.replicas is changed by another process with "
      "the field manager keelson, an admission webhook, or a client that removes the field, and "
      "corrected"));
}

TEST_CASE("a conflict ends by itself when the other writer stops") {
  ContestedMemcached cluster;
  cluster.fight(20s);
  REQUIRE_FALSE(cluster.conflict().empty());

  REQUIRE(cluster.eventually([&] { return cluster.replicas() == 3; }, 3min));
  REQUIRE(cluster.eventually([&] { return cluster.conflict().empty(); }, 3min));

  cluster.change_back();
  CHECK(cluster.eventually([&] { return cluster.replicas() == 3; }, 5s));
}

TEST_CASE("a conflict ends when the desired state changes") {
  ContestedMemcached cluster;
  cluster.fight(20s);

  cluster.patch(kube::resource_of<kinds::Memcached>(), kWeb, R"({"spec":{"size":5}})");

  CHECK(cluster.eventually([&] { return cluster.replicas() == 5 && cluster.conflict().empty(); }, 5s));
}

TEST_CASE("the condition of a conflict that ended while no manager ran is removed") {
  ContestedMemcached cluster;
  cluster.fight(20s);
  cluster.crash_manager();
  cluster.patch(kube::deployments(), kWeb, R"({"spec":{"replicas":3}})");

  cluster.start_manager();

  CHECK(cluster.eventually([&] { return cluster.conflict().empty(); }, 6min));
}

TEST_CASE("three corrections of one field are not a conflict") {
  ContestedMemcached cluster;

  for (int change = 0; change < 3; ++change) {
    cluster.change_back();
    REQUIRE(cluster.eventually([&] { return cluster.replicas() == 3; }, 5s));
  }

  CHECK(cluster.conflict().empty());
}

}  // namespace keelson::testing
