// A manager during outages: no API server, no CRD, signals.
#include <signal.h>

#include <catch2/catch_test_macros.hpp>

#include "test/cluster/harness/cluster.hpp"

namespace keelson::testing {
namespace {

using namespace std::chrono_literals;

const std::string kCrds = std::string(KEELSON_SOURCE_DIR) + "/config/crd";

std::string memcached(const std::string& name, int size) {
  return "apiVersion: memcached.cache.example.com/v1\nkind: Memcached\nmetadata:\n  name: " + name +
         "\nspec:\n  size: " + std::to_string(size) + "\n";
}

std::size_t nodes(const std::string& name, const std::string& ns) {
  return get("memcached", name, ns).root().at({"status", "nodes"}).size();
}

TEST_CASE("after kill -9 and a restart of the API server the manager continues, and creates nothing twice") {
  install_crds();
  Manager manager;
  manager.wait_until_ready();
  Namespace space;
  const auto& ns = space.name();
  kubectl({"apply", "-n", ns, "-f", "-"}, memcached("survivor", 2));
  eventually("two nodes", [&] { return nodes("survivor", ns) == 2; });
  auto uid = get("deployment", "survivor", ns).root().at({"metadata", "uid"}).text();

  manager.mark();
  cluster("kill-apiserver");
  throughout("the manager lives on", 2s, [&] { return manager.process().is_running(); });
  CHECK(manager.health("/readyz") == "ok");
  cluster("start-apiserver");
  kubectl({"scale", "memcached/survivor", "--replicas=3", "-n", ns});

  eventually(
      "three nodes", [&] { return nodes("survivor", ns) == 3; }, 180s);
  CHECK(get("deployment", "survivor", ns).root().at({"metadata", "uid"}).text() == uid);
  auto requests = manager.requests(ns);
  INFO(requests.text());
  CHECK(requests.of("patch deployments 201") == 0);
  CHECK(requests.of("patch services") == 0);
  manager.stop();
}

TEST_CASE("the manager waits until the API server answers") {
  install_crds();
  cluster("kill-apiserver");
  Manager manager;
  throughout("it waits", 2s, [&] { return manager.process().is_running(); });
  CHECK(manager.health("/healthz") == "ok");
  CHECK(manager.health("/readyz").empty());

  cluster("start-apiserver");

  manager.wait_until_ready();
  manager.stop();
}

TEST_CASE("a missing CRD stops only its controller, is named in the log, and the controller starts when it exists") {
  kubectl({"delete", "-k", kCrds, "--ignore-not-found"});
  Manager manager;
  eventually("the CRD is named", [&] { return manager.log().find("CustomResourceDefinition") != std::string::npos; });
  CHECK(manager.health("/healthz") == "ok");
  manager.wait_until_ready();

  kubectl({"apply", "-k", kCrds});
  Namespace space;
  eventually("the kind is served", [&] {
    return try_kubectl({"apply", "-n", space.name(), "-f", "-"}, memcached("late", 1)).exit_code == 0;
  });

  eventually(
      "one node", [&] { return nodes("late", space.name()) == 1; }, 180s);
  manager.stop();
}

TEST_CASE("P7: a second signal ends the process immediately with exit code 1") {
  Manager manager;
  eventually("/healthz", [&] { return manager.health("/healthz") == "ok"; });
  // The graceful stop waits a few seconds for a request that has begun.
  auto request = manager.begin_health_request();
  CHECK(manager.health("/healthz") == "ok");
  manager.process().signal(SIGTERM);
  eventually("it stops", [&] { return manager.log().find("Stopping and waiting") != std::string::npos; });
  CHECK(manager.process().is_running());

  manager.process().signal(SIGINT);

  CHECK(manager.process().wait() == 1);
}

TEST_CASE("P9: metrics have controller-runtime's names") {
  install_crds();
  Namespace space;
  kubectl({"apply", "-n", space.name(), "-f",
           std::string(KEELSON_SOURCE_DIR) + "/config/samples/memcached_v1_memcached.yaml"});
  Manager manager;
  manager.wait_until_ready();

  for (const auto* series : {R"(controller_runtime_max_concurrent_reconciles{controller="memcached"} 16)",
                             R"(controller_runtime_reconcile_total{controller="memcached",result="success"})",
                             R"(controller_runtime_active_workers{controller="memcached"} 0)",
                             R"(workqueue_depth{controller="memcached",name="memcached",priority=)",
                             R"(rest_client_requests_total{code="200")",
                             R"(keelson_cache_objects{group="memcached.cache.example.com",kind="Memcached"})",
                             "process_resident_memory_bytes ", "keelson_loop_lag_seconds "}) {
    eventually(series, [&] { return manager.metrics().find(series) != std::string::npos; });
  }
  manager.stop();
}

}  // namespace
}  // namespace keelson::testing
