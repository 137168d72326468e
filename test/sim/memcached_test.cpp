// The Memcached controller in simulation: crashes at every write, broken watches, rejected requests.
#include <catch2/catch_test_macros.hpp>

#include "keelson/schema/time.hpp"
#include "src/kinds/memcached/memcached.hpp"
#include "test/sim/cluster_with_user.hpp"
#include "test/support/conditions.hpp"

namespace keelson::testing {
namespace {

using namespace std::chrono_literals;
using sandbox::RequestInfo;
using sandbox::WriteFate;

const kube::Key kWeb("default", "web");

std::string memcached(const std::string& name, int size) {
  return R"({"apiVersion":"memcached.cache.example.com/v1","kind":"Memcached","metadata":{"name":")" + name +
         R"(","namespace":"default"},"spec":{"size":)" + std::to_string(size) + "}}";
}

struct MemcachedCluster : ClusterWithUser {
  explicit MemcachedCluster(std::uint64_t seed = 1) : ClusterWithUser(seed, kinds::memcached()) {}
  void apply(const std::string& name, int size) {
    create(kube::resource_of<kinds::Memcached>(), "default", memcached(name, size));
  }
  void scale(int size) {
    patch(kube::resource_of<kinds::Memcached>(), kWeb, R"({"spec":{"size":)" + std::to_string(size) + "}}");
  }
  bool is_ready(const kube::Key& key, std::size_t size) {
    auto document = get(kube::resource_of<kinds::Memcached>(), key);
    auto root = document.root();
    auto status = root.find("status");
    bool current = status.find("observedGeneration").integer() == root.at({"metadata", "generation"}).integer();
    return current && status.find("nodes").size() == size &&
           status.find("readyNodes").integer() == static_cast<std::int64_t>(size);
  }
  std::string uid(const kube::Resource& resource) {
    return std::string(get(resource, kWeb).root().at({"metadata", "uid"}).string().value_or(""));
  }
  std::size_t errors() const { return sink.count("Reconciler error"); }
};

TEST_CASE("M5 to M7, M9 to M11: a new Memcached converges with three writes, and a change of its size with one") {
  MemcachedCluster cluster;
  cluster.start_manager();

  cluster.apply("web", 3);
  REQUIRE(cluster.eventually([&] { return cluster.is_ready(kWeb, 3); }));
  cluster.pass(30s);

  CHECK(cluster.writes(kube::deployments(), "", 201) == 1);
  CHECK(cluster.writes(kube::services(), "", 201) == 1);
  CHECK(cluster.writes(kube::resource_of<kinds::Memcached>(), "status", 200) == 1);
  cluster.server.clear_log();
  cluster.scale(5);
  REQUIRE(cluster.eventually([&] { return cluster.is_ready(kWeb, 5); }));
  cluster.pass(30s);
  CHECK(cluster.writes(kube::deployments(), "", 200) == 1);
  CHECK(cluster.writes(kube::resource_of<kinds::Memcached>(), "status", 200) == 1);
  CHECK(cluster.writes(kube::services(), "", 200) == 0);
  CHECK(cluster.errors() == 0);
}

TEST_CASE("M12: while nothing changes, the controller sends no requests") {
  MemcachedCluster cluster;
  cluster.start_manager();
  cluster.apply("web", 2);
  REQUIRE(cluster.eventually([&] { return cluster.is_ready(kWeb, 2); }));
  cluster.pass(10s);

  cluster.server.clear_log();
  cluster.pass(4min);

  for (const auto& request : cluster.server.log()) CHECK(request.verb == kube::Verb::kWatch);
}

TEST_CASE("M23: a stale cache causes neither a second create nor a logged error") {
  MemcachedCluster cluster;
  cluster.start_manager();
  cluster.pass(5s);
  // Every event reaches the manager late.
  for (int object = 0; object < 20; ++object) cluster.apply("many-" + std::to_string(object), 1);
  cluster.server.drop_watches();
  REQUIRE(cluster.eventually([&] { return cluster.is_ready({"default", "many-19"}, 1); }));

  CHECK(cluster.writes(kube::deployments(), "", 201) == 20);
  CHECK(cluster.writes(kube::deployments(), "", 409) == 0);
  CHECK(cluster.errors() == 0);
}

TEST_CASE("M24: each child has its Memcached as its controller and owner") {
  MemcachedCluster cluster;
  cluster.start_manager();
  cluster.apply("web", 1);
  REQUIRE(cluster.eventually([&] { return cluster.is_ready(kWeb, 1); }));

  for (const auto& resource : {kube::deployments(), kube::services()}) {
    auto child = cluster.get(resource, kWeb);
    auto owner = child.root().at({"metadata", "ownerReferences"}).item(0);
    CHECK(owner.find("controller").boolean() == true);
    CHECK(owner.find("blockOwnerDeletion").boolean() == true);
    CHECK(owner.find("uid").string() == cluster.uid(kube::resource_of<kinds::Memcached>()));
  }
}

TEST_CASE("M13, M15: drift of the Service's target port is corrected immediately") {
  MemcachedCluster cluster;
  cluster.start_manager();
  cluster.apply("web", 1);
  REQUIRE(cluster.eventually([&] { return cluster.is_ready(kWeb, 1); }));

  cluster.patch(kube::services(), kWeb,
                R"({"spec":{"ports":[{"name":"memcached","port":11211,"protocol":"TCP","targetPort":9999}]}})");

  auto is_repaired = [&] {
    auto service = cluster.get(kube::services(), kWeb);
    return service.root().at({"spec", "ports"}).item(0).find("targetPort").integer() == 11211;
  };
  CHECK(cluster.eventually(is_repaired, 5s));
}

TEST_CASE("a status is written although a rejected child delays the next retry") {
  MemcachedCluster cluster;
  cluster.start_manager();
  auto rejected = cluster.server.forbid(
      [](const RequestInfo& r) { return r.user == "manager" && r.is_write() && r.resource == kube::services(); });
  cluster.apply("web", 3);
  REQUIRE(cluster.eventually([&] { return cluster.is_ready(kWeb, 3); }));
  cluster.pass(20min);

  cluster.scale(5);

  REQUIRE(cluster.eventually([&] { return cluster.is_ready(kWeb, 5); }, 5s));
}

TEST_CASE("a crash at any write loses no object and creates none twice") {
  for (auto fate : {WriteFate::kLost, WriteFate::kReplyLost}) {
    for (int crash_at = 1; crash_at <= 6; ++crash_at) {
      INFO("crash at write " << crash_at << (fate == WriteFate::kLost ? ", lost" : ", done but not answered"));
      MemcachedCluster cluster;
      int writes = 0;
      bool crash = false;
      cluster.server.before_write([&](const RequestInfo& request) {
        if (request.user != "manager" || crash || ++writes != crash_at) return WriteFate::kProceeds;
        crash = true;
        return fate;
      });
      cluster.start_manager();
      cluster.apply("web", 2);

      (void)cluster.eventually([&] { return crash; }, 5s);
      if (!crash) cluster.scale(3);
      (void)cluster.eventually([&] { return crash; }, 5s);
      cluster.crash_manager();
      cluster.start_manager();
      cluster.scale(4);

      REQUIRE(cluster.eventually([&] { return cluster.is_ready(kWeb, 4); }));
      CHECK(cluster.writes(kube::deployments(), "", 201) <= 1 + (fate == WriteFate::kReplyLost ? 1u : 0u));
      CHECK(cluster.server.objects(kube::deployments()).size() == 1);
      CHECK(cluster.server.objects(kube::services()).size() == 1);
    }
  }
}

TEST_CASE("with broken watches, expired history and rejections, the cluster converges with any seed") {
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    INFO("seed " << seed);
    MemcachedCluster cluster(seed);
    base::Random chance(seed * 7919);
    cluster.start_manager();
    cluster.apply("web", 1);
    std::string deployment;

    for (int step = 0; step < 25; ++step) {
      cluster.pass(std::chrono::milliseconds(chance.between(5, 1500)));
      switch (chance.between(0, 6)) {
        case 0:
          cluster.server.drop_watches();
          break;
        case 1:
          cluster.server.compact();
          break;
        case 2:
          cluster.scale(static_cast<int>(chance.between(0, 5)));
          break;
        case 3: {
          Error rejected(Error::Kind::kStatus, "");
          rejected.code = chance.unit() < 0.5 ? 500 : 409;
          rejected.reason = rejected.code == 500 ? "InternalError" : "Conflict";
          cluster.server.fail_next([](const RequestInfo& r) { return r.user == "manager" && r.is_write(); }, rejected);
          break;
        }
        case 4:
          cluster.server.fail_next([](const RequestInfo& r) { return r.user == "manager"; }, transport_error("reset"));
          break;
        case 5:
          if (cluster.get(kube::services(), kWeb).root().is_object()) cluster.remove(kube::services(), kWeb);
          break;
        case 6:
          cluster.crash_manager();
          cluster.start_manager();
          break;
        default:
          break;
      }
      auto now = cluster.uid(kube::deployments());
      if (deployment.empty()) deployment = now;
      CHECK(now == deployment);
    }
    cluster.server.drop_watches();
    cluster.scale(3);

    auto has_service = [&] { return cluster.get(kube::services(), kWeb).root().is_object(); };
    REQUIRE(cluster.eventually([&] { return cluster.is_ready(kWeb, 3) && has_service(); }));
    CHECK(cluster.get(kube::deployments(), kWeb).root().at({"spec", "replicas"}).integer() == 3);
  }
}

TEST_CASE("a seed gives the same run each time") {
  auto trace = [](std::uint64_t seed) {
    MemcachedCluster cluster(seed);
    cluster.start_manager();
    cluster.apply("web", 3);
    REQUIRE(cluster.eventually([&] { return cluster.is_ready(kWeb, 3); }));
    std::string text;
    for (const auto& request : cluster.server.log()) {
      text += std::to_string(static_cast<int>(request.verb)) + request.resource.plural + request.subresource +
              std::to_string(request.code) + " ";
    }
    return text;
  };

  CHECK(trace(5) == trace(5));
}

// A kubelet that writes the status of the only pod of `web`.
struct Kubelet {
  explicit Kubelet(MemcachedCluster& its_cluster) : cluster(its_cluster) {
    cluster.start_manager();
    cluster.apply("web", 1);
    REQUIRE(cluster.eventually([&] { return cluster.is_ready(kWeb, 1); }));
    cluster.pass(10s);
    const auto status = cluster.get(kube::resource_of<kinds::Memcached>(), kWeb);
    pod = {"default", std::string(*status.root().at({"status", "nodes"}).item(0).string())};
  }
  void report(const std::string& ready, const std::string& state, int restarts, const std::string& last_state) {
    const auto now = kube::format_time(cluster.loop.clock().wall_now());
    const auto condition = [&](const char* type) {
      return std::string(R"({"type":")") + type + R"(","status":")" + ready + R"(","lastTransitionTime":")" + now +
             R"(","reason":"ContainersNotReady"})";
    };
    const auto status = R"({"status":{"phase":"Running","conditions":[)" + condition("Ready") + "," +
                        condition("ContainersReady") +
                        R"(],"containerStatuses":[{"name":"memcached","image":"i","imageID":"","ready":)" +
                        (ready == "True" ? "true" : "false") + R"(,"restartCount":)" + std::to_string(restarts) +
                        R"(,"state":)" + state + R"(,"lastState":)" + last_state + "}]}}";
    cluster.loop.run(write(status));
  }
  boost::asio::awaitable<void> write(std::string status) {
    auto patched = co_await kube::patch(cluster.server.client("kubelet"), kube::pods(), pod, kube::PatchType::kMerge,
                                        std::move(status), "status");
    CHECK(patched.has_value());
  }
  // A run of 3 s, and the wait after it.
  void crash(int restarts) {
    const auto start = kube::format_time(cluster.loop.clock().wall_now());
    report("True", R"({"running":{"startedAt":")" + start + "\"}}", restarts, last);
    cluster.pass(3s);
    const auto end = kube::format_time(cluster.loop.clock().wall_now());
    last = R"({"terminated":{"exitCode":139,"reason":"Error","startedAt":")" + start + R"(","finishedAt":")" + end +
           "\"}}";
    report("False", R"({"waiting":{"reason":"CrashLoopBackOff","message":"back-off)" + end + "\"}}", restarts, last);
    cluster.pass(20s);
  }
  std::string condition(std::string_view type) {
    const auto object = cluster.get(kube::resource_of<kinds::Memcached>(), kWeb);
    return condition_with_message(object.root(), type);
  }
  std::size_t warnings() { return cluster.writes(kube::events(), "", 201); }

  MemcachedCluster& cluster;
  kube::Key pod;
  std::string last = "{}";
};

TEST_CASE("a Memcached whose pod crashes is degraded until the container has run for a minute, with a single Event") {
  MemcachedCluster cluster;
  Kubelet kubelet(cluster);
  const auto events = kubelet.warnings();

  kubelet.report("False", R"({"waiting":{"reason":"ContainerCreating"}})", 0, "{}");
  cluster.pass(20s);
  CHECK(kubelet.condition("Degraded") == "False AsExpected 0 of 1 nodes are ready.");
  kubelet.crash(1);

  CHECK(kubelet.condition("Degraded") ==
        "True CrashLoopBackOff Pod " + kubelet.pod.name +
            " on node node-1: container memcached crashes, exit code 139 (Error), 1 restart.");
  CHECK(kubelet.condition("Ready").starts_with("False CrashLoopBackOff 0 of 1 nodes are ready. Pod "));
  CHECK(kubelet.condition("Reconciling").starts_with("True CrashLoopBackOff"));
  CHECK(kubelet.condition("Stalled") == "-");
  const auto explained = cluster.explain_object(kube::resource_of<kinds::Memcached>(), kWeb);
  INFO(explained);
  CHECK(explained.find("Degraded: CrashLoopBackOff: Pod " + kubelet.pod.name) != std::string::npos);
  CHECK(explained.find("`kubectl logs " + kubelet.pod.name + " -n default --previous`") != std::string::npos);

  for (int restarts = 2; restarts < 6; ++restarts) kubelet.crash(restarts);
  // While the container runs and is ready, between two crashes.
  kubelet.report("True", R"({"running":{"startedAt":")" + kube::format_time(cluster.loop.clock().wall_now()) + "\"}}",
                 6, kubelet.last);
  cluster.pass(10s);
  CHECK(kubelet.condition("Degraded").starts_with("True CrashLoopBackOff"));
  CHECK(kubelet.condition("Ready").starts_with("False CrashLoopBackOff"));
  CHECK(kubelet.warnings() == events + 1);

  cluster.pass(50s + 200ms);
  CHECK(kubelet.condition("Degraded").starts_with("False AsExpected"));
  CHECK(kubelet.condition("Ready").starts_with("True AllNodesReady"));
}

TEST_CASE("a change of a pod that changes neither its readiness nor its problem costs no request") {
  MemcachedCluster cluster;
  Kubelet kubelet(cluster);
  kubelet.report("False", R"({"waiting":{"reason":"ErrImagePull","message":"not found"}})", 0, "{}");
  cluster.pass(20s);
  REQUIRE(kubelet.condition("Degraded").starts_with("True ImagePullBackOff"));
  cluster.server.clear_log();

  for (int attempt = 0; attempt < 20; ++attempt) {
    const auto* waiting =
        attempt % 2 == 0
            ? R"({"reason":"ImagePullBackOff","message":"Back-off pulling image \"i\": ErrImagePull: not found"})"
            : R"({"reason":"ErrImagePull","message":"not found"})";
    cluster.loop.run(
        kubelet.write(R"({"status":{"containerStatuses":[{"name":"memcached","image":"i","imageID":"","ready":false,)"
                      R"("restartCount":0,"state":{"waiting":)" +
                      std::string(waiting) + "}}]}}"));
    cluster.pass(30s);
  }

  std::size_t requests = 0;
  for (const auto& request : cluster.server.log()) {
    if (request.user == "manager" && request.verb != kube::Verb::kWatch) ++requests;
  }
  CHECK(requests == 0);
}

TEST_CASE("a pod that is not ready for ten minutes is a problem, without a change of it") {
  MemcachedCluster cluster;
  Kubelet kubelet(cluster);
  kubelet.report("False", R"({"waiting":{"reason":"ContainerCreating"}})", 0, "{}");
  cluster.pass(9min + 59s);
  CHECK(kubelet.condition("Degraded").starts_with("False"));

  cluster.pass(2s);

  CHECK(kubelet.condition("Degraded").starts_with("True PodNotReady"));
}

}  // namespace
}  // namespace keelson::testing
