// The Events of a cluster's controllers, and their expiry.
#include <catch2/catch_test_macros.hpp>
#include <set>

#include "keelson/json/value.hpp"
#include "test/unit/sandbox/talk.hpp"

namespace keelson::sandbox {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

struct RecordedCluster : fixtures::Talk {
  RecordedCluster() : Talk(fixtures::whole_cluster()) { pass(seconds(1)); }

  void deploy(int replicas) {
    auto body = R"({"metadata":{"name":"web"},"spec":{"replicas":)" + std::to_string(replicas) +
                R"(,"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},)"
                R"("spec":{"containers":[{"name":"c","image":"i:1"}]}}}})";
    REQUIRE(ask(kube::create(client(), kube::deployments(), "default", body)));
    pass(seconds(5));
  }
  void scale(int replicas) {
    auto patch = R"({"spec":{"replicas":)" + std::to_string(replicas) + "}}";
    REQUIRE(ask(kube::patch(client(), kube::deployments(), {"default", "web"}, kube::PatchType::kMerge, patch)));
    pass(seconds(5));
  }
  // "REASON xCOUNT" for the Events about one kind.
  std::multiset<std::string> events(const std::string& kind) {
    std::multiset<std::string> found;
    for (const auto& event : server.objects(kube::core_events())) {
      auto document = json::Document::parse(event.json());
      auto root = document->root();
      if (root.at({"involvedObject", "kind"}).string() != kind) continue;
      found.insert(std::string(root.find("reason").string().value_or("")) + " x" + root.find("count").text());
    }
    return found;
  }
};

TEST_CASE("controllers, scheduler and kubelet record Events") {
  RecordedCluster cluster;

  cluster.deploy(2);

  CHECK(cluster.events("Deployment") == std::multiset<std::string>{"ScalingReplicaSet x1"});
  CHECK(cluster.events("ReplicaSet") == std::multiset<std::string>{"SuccessfulCreate x1", "SuccessfulCreate x1"});
  CHECK(cluster.events("Pod").count("Scheduled xnull") == 2);
  CHECK(cluster.events("Pod").count("Started x1") == 2);
}

TEST_CASE("a repeated Event is counted, and similar ones are combined") {
  RecordedCluster cluster;
  cluster.deploy(1);

  for (int i = 0; i < 3; ++i) {
    cluster.scale(2);
    cluster.scale(1);
  }
  CHECK(cluster.events("Deployment") ==
        std::multiset<std::string>{"ScalingReplicaSet x1", "ScalingReplicaSet x3", "ScalingReplicaSet x3"});

  for (int replicas = 2; replicas < 16; ++replicas) cluster.scale(replicas);
  CHECK(cluster.events("Deployment").size() <= 11);
}

TEST_CASE("an Event is deleted an hour after its last change") {
  RecordedCluster cluster;
  cluster.deploy(1);

  cluster.pass(hours(1) - seconds(60));
  CHECK_FALSE(cluster.events("Deployment").empty());
  cluster.pass(seconds(180));
  CHECK(cluster.server.objects(kube::core_events()).empty());
}

TEST_CASE("without the objects of a cluster no Events are recorded") {
  fixtures::Talk talk;
  REQUIRE(talk.create_map("x"));
  talk.pass(seconds(5));

  CHECK(talk.server.objects(kube::core_events()).empty());
}

}  // namespace
}  // namespace keelson::sandbox
