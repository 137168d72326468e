// The status of a Memcached, computed from its cached Deployment and pods.
#include <array>
#include <sstream>

#include "keelson/kube/typed_object.hpp"
#include "src/kinds/memcached/memcached.hpp"
#include "test/support/conditions.hpp"
#include "test/support/data_rows.hpp"
#include "test/unit/controller/reconciler_world.hpp"

namespace keelson::testing {
namespace {

using namespace std::chrono_literals;

const kube::Key kWeb("default", "web");
constexpr const char* kRunning = R"({"phase":"Running"})";
constexpr const char* kReady = R"({"phase":"Running","conditions":[{"type":"Ready","status":"True"}]})";

std::string web(int size) {
  return R"({"apiVersion":"memcached.cache.example.com/v1","kind":"Memcached","metadata":{"name":"web",)"
         R"("namespace":"default","uid":"u-1","resourceVersion":"7","generation":2},"spec":{"size":)" +
         std::to_string(size) + "}}";
}

using Owner = std::array<std::string, 3>;  // kind, name, uid; an empty kind: none
const Owner kByMemcached{"Memcached", "web", "u-1"};
const Owner kByDeployment{"Deployment", "web", "uid-web"};
const Owner kByReplicaSet{"ReplicaSet", "rs", "uid-rs"};

std::string owned(const std::string& kind, const std::string& name, const Owner& owner, const std::string& status,
                  const std::string& metadata = "") {
  const auto references = owner[0].empty()
                              ? std::string()
                              : R"("ownerReferences":[{"apiVersion":"apps/v1","controller":true,"kind":")" + owner[0] +
                                    R"(","name":")" + owner[1] + R"(","uid":")" + owner[2] + "\"}],";
  return R"({"kind":")" + kind + R"(","metadata":{"name":")" + name + R"(","uid":"uid-)" + name +
         R"(","generation":1,"labels":{"app":"memcached","memcached_cr":"web"},)" + references + metadata +
         R"("namespace":"default","resourceVersion":"9"},"status":)" + status + "}";
}

std::string deployment(int updated, const std::string& conditions = "") {
  const auto count = std::to_string(updated);
  auto text = owned("Deployment", "web", kByMemcached,
                    R"({"observedGeneration":1,"replicas":)" + count + R"(,"updatedReplicas":)" + count +
                        R"(,"availableReplicas":)" + count + R"(,"conditions":[)" + conditions + "]}");
  text.pop_back();
  return text + R"(,"spec":{"replicas":)" + count + "}}";
}

struct MemcachedWithPods : ReconcilerWorld {
  explicit MemcachedWithPods(int size) : ReconcilerWorld(kinds::memcached()) {
    know(kube::resource_of<kinds::Memcached>(), web(size));
    know(kube::replica_sets(), owned("ReplicaSet", "rs", kByDeployment, "{}"));
  }
  void know_pod(const std::string& name, const std::string& status) {
    know(kube::pods(), owned("Pod", name, kByReplicaSet, status));
  }
  // The status that is written within a second.
  kinds::MemcachedStatus status() {
    REQUIRE(reconcile(kWeb));
    loop.run(async::sleep_for(loop.clock(), 1s));
    REQUIRE(reconcile(kWeb));
    const auto written = bodies(kube::Verb::kPatch, kube::resource_of<kinds::Memcached>());
    REQUIRE(!written.empty());
    const auto document = json::Document::parse(written.back());
    auto read = kube::decode<kinds::MemcachedStatus>(document->root().find("status"), "status");
    REQUIRE(read);
    return *read;
  }
};

// The Deployment of a Memcached, whose row has "2" or "0 fails".
std::string deployment_in(const std::string& text, int size) {
  const std::string failing = R"({"type":"Progressing","status":"False","message":"quota exceeded"})";
  auto json = deployment(std::stoi(text), text.ends_with("fails") ? failing : "");
  const auto current = json.find(R"("spec":{"replicas":)");
  return json.replace(current, std::string::npos, R"("spec":{"replicas":)" + std::to_string(size) + "}}");
}

TEST_CASE("M4: the conditions of a Memcached follow from the observed state") {
  const std::vector<std::string> conditions{"Ready", "Available", "Progressing", "Degraded", "Reconciling", "Stalled"};
  std::vector<std::string> fields{"what", "size", "pods", "deployment"};
  fields.insert(fields.end(), conditions.begin(), conditions.end());
  for (const auto& row : data_rows("test/unit/memcached/memcached_status.txt", fields)) {
    INFO(row.place() << " " << row["what"]);
    const auto size = std::stoi(row["size"]);
    MemcachedWithPods world(size);
    if (!row["deployment"].empty()) world.know(kube::deployments(), deployment_in(row["deployment"], size));
    std::istringstream pods(row["pods"]);
    int number = 0;
    for (std::string pod; pods >> pod;) {
      world.know_pod("pod-" + std::to_string(number++), pod == "ready" ? kReady : kRunning);
    }

    const auto status = world.status();

    for (const auto& type : conditions) {
      INFO(type);
      CHECK(condition_text(status, type) == row[type]);
    }
  }
}

TEST_CASE("M2, M17: the status has the fields of the scale subresource, and its nodes are sorted") {
  MemcachedWithPods world(3);
  world.know(kube::deployments(), deployment(3));
  world.know_pod("b", kReady);
  world.know_pod("a", kRunning);

  const auto status = world.status();

  CHECK(status.nodes == std::vector<std::string>{"a", "b"});
  CHECK(status.replicas == 2);
  CHECK(status.ready_nodes == 1);
  CHECK(status.selector == "app=memcached,memcached_cr=web");
  CHECK(status.observed_generation == 2);
}

TEST_CASE("M18: the nodes are the pods of the Deployment's ReplicaSets that are neither finished nor being deleted") {
  struct Row {
    std::string what;
    std::string pod;
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
      {"not started", owned("Pod", "p", kByReplicaSet, "{}"), 1, 0},
      {"failed", owned("Pod", "p", kByReplicaSet, R"({"phase":"Failed"})"), 0, 0},
      {"succeeded", owned("Pod", "p", kByReplicaSet, R"({"phase":"Succeeded"})"), 0, 0},
      {"being deleted", owned("Pod", "p", kByReplicaSet, kReady, R"("deletionTimestamp":"2026-01-01T00:00:00Z",)"), 0,
       0},
      {"without an owner", owned("Pod", "p", {}, kReady), 0, 0},
      {"a Job's", owned("Pod", "p", {"Job", "rs", "uid-rs"}, kReady), 0, 0},
      {"an unknown ReplicaSet's", owned("Pod", "p", {"ReplicaSet", "other", "uid-rs"}, kReady), 0, 0},
      {"a former ReplicaSet's", owned("Pod", "p", {"ReplicaSet", "rs", "uid-former"}, kReady), 0, 0},
      {"another Deployment's", owned("Pod", "p", {"ReplicaSet", "other", "uid-other"}, kReady), 0, 0},
      {"an orphan's", owned("Pod", "p", {"ReplicaSet", "orphan", "uid-orphan"}, kReady), 0, 0},
  };

  for (const auto& row : table) {
    INFO(row.what);
    MemcachedWithPods world(1);
    world.know(kube::deployments(), deployment(1));
    world.know(kube::replica_sets(), owned("ReplicaSet", "other", {"Deployment", "web", "uid-another"}, "{}"));
    world.know(kube::replica_sets(), owned("ReplicaSet", "orphan", {}, "{}"));
    world.know(kube::pods(), row.pod);

    const auto status = world.status();

    CHECK(status.nodes.size() == row.nodes);
    CHECK(status.ready_nodes == row.ready);
  }
}

}  // namespace
}  // namespace keelson::testing
