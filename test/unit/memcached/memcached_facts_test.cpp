#include "src/controllers/memcached/memcached_facts.hpp"

#include <array>
#include <catch2/catch_test_macros.hpp>

#include "test/unit/controller/fakes.hpp"

namespace keelson::controllers {
namespace {

kube::Object deployment(const std::string& conditions) {
  return *kube::Object::from_json(
      R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"default","uid":"d-1",)"
      R"("resourceVersion":"9","generation":2},"status":{"observedGeneration":2,"replicas":1,"updatedReplicas":1,"availableReplicas":1,)"
      R"("conditions":[)" +
      conditions + "]}}");
}

TEST_CASE("what a Deployment's conditions call a failure") {
  struct Row {
    std::string what, condition, failure;
  };
  const std::vector<Row> table{
      {"it progresses", R"({"type":"Progressing","status":"True","reason":"ReplicaSetUpdated","message":"m"})", ""},
      {"it is paused", R"({"type":"Progressing","status":"Unknown","reason":"DeploymentPaused","message":"m"})", ""},
      {"it is late", R"({"type":"Progressing","status":"False","reason":"ProgressDeadlineExceeded","message":"m"})",
       "m"},
      {"no pods can be made", R"({"type":"ReplicaFailure","status":"True","reason":"FailedCreate","message":"q"})",
       "q"},
      {"they can be again", R"({"type":"ReplicaFailure","status":"False","reason":"FailedCreate","message":"q"})", ""},
      {"it is not available", R"({"type":"Available","status":"False","message":"m"})", ""},
  };

  for (const auto& row : table) {
    MemcachedFacts facts;
    facts.size = 1;

    auto looked = look_at_deployment(deployment(row.condition), facts);

    INFO(row.what);
    REQUIRE(looked);
    CHECK(facts.failure == row.failure);
    CHECK(facts.rolled_out);
  }
}

// Of the Memcached web by its label. `owner`: kind, name and uid of the controller, or nothing.
kube::Object owned(const std::string& kind, const std::string& name, std::array<std::string, 3> owner,
                   const std::string& status = "{}", const std::string& metadata = "") {
  auto references = owner[0].empty() ? ""
                                     : R"("ownerReferences":[{"apiVersion":"apps/v1","controller":true,"kind":")" +
                                           owner[0] + R"(","name":")" + owner[1] + R"(","uid":")" + owner[2] + "\"}],";
  return *kube::Object::from_json(R"({"kind":")" + kind + R"(","metadata":{"name":")" + name + R"(","uid":"uid-)" +
                                  name + R"(","labels":{"memcached_cr":"web"},)" + references + metadata +
                                  R"("namespace":"default","resourceVersion":"9"},"status":)" + status + "}");
}

const std::array<std::string, 3> kByReplicaSet{"ReplicaSet", "rs", "uid-rs"};
constexpr const char* kReady = R"({"phase":"Running","conditions":[{"type":"Ready","status":"True"}]})";

TEST_CASE("the nodes are the pods of the Deployment's ReplicaSets that are neither finished nor being deleted") {
  struct Row {
    std::string what;
    kube::Object pod;
    std::size_t nodes;
    std::int32_t ready;
  };
  const std::vector<Row> table{
      {"ready", owned("Pod", "p", kByReplicaSet, kReady), 1, 1},
      {"not ready",
       owned("Pod", "p", kByReplicaSet, R"({"phase":"Running","conditions":[{"type":"Ready","status":"False"}]})"), 1,
       0},
      {"another condition",
       owned("Pod", "p", kByReplicaSet, R"({"phase":"Running","conditions":[{"type":"Initialized","status":"True"}]})"),
       1, 0},
      {"not started", owned("Pod", "p", kByReplicaSet), 1, 0},
      {"failed", owned("Pod", "p", kByReplicaSet, R"({"phase":"Failed"})"), 0, 0},
      {"succeeded", owned("Pod", "p", kByReplicaSet, R"({"phase":"Succeeded"})"), 0, 0},
      {"being deleted", owned("Pod", "p", kByReplicaSet, kReady, R"("deletionTimestamp":"2026-01-01T00:00:00Z",)"), 0,
       0},
      {"nobody's", owned("Pod", "p", {}, kReady), 0, 0},
      {"a Job's", owned("Pod", "p", {"Job", "rs", "uid-rs"}, kReady), 0, 0},
      {"an unknown ReplicaSet's", owned("Pod", "p", {"ReplicaSet", "other", "uid-rs"}, kReady), 0, 0},
      {"a former ReplicaSet's", owned("Pod", "p", {"ReplicaSet", "rs", "uid-former"}, kReady), 0, 0},
      {"another Deployment's", owned("Pod", "p", {"ReplicaSet", "foreign", "uid-foreign"}, kReady), 0, 0},
      {"an orphan's", owned("Pod", "p", {"ReplicaSet", "orphan", "uid-orphan"}, kReady), 0, 0},
  };
  const auto web = deployment("");
  test::FakeInformer replica_sets({.resource = kube::replica_sets()});
  replica_sets.observe_write(owned("ReplicaSet", "rs", {"Deployment", "web", "d-1"}));
  replica_sets.observe_write(owned("ReplicaSet", "foreign", {"Deployment", "web", "d-2"}));
  replica_sets.observe_write(owned("ReplicaSet", "orphan", {}));

  for (const auto& row : table) {
    test::FakeInformer pods(
        {.resource = kube::pods(), .indexes = {{std::string(kLabelledIndex), memcacheds_of_label}}});
    pods.observe_write(row.pod);
    MemcachedFacts facts;

    auto looked = look_at_pods(web, replica_sets, pods, facts);

    INFO(row.what);
    REQUIRE(looked);
    CHECK(facts.nodes.size() == row.nodes);
    CHECK(facts.ready_nodes == row.ready);
  }
}

}  // namespace
}  // namespace keelson::controllers
