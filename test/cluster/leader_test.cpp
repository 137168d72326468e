// Managers with --leader-elect and the same lease: which one works, when another one takes over, and their exit codes.
#include <signal.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "test/cluster/harness/cluster.hpp"
#include "test/support/temporary_folder.hpp"

namespace keelson::testing {
namespace {

using namespace std::chrono_literals;
using RealTime = std::chrono::steady_clock;

const std::string kLeads = R"(leader_election_master_status{name="keelson-manager"} 1)";
const std::string kStandsBy = R"(leader_election_master_status{name="keelson-manager"} 0)";

// A shorter lease than by default: 3 s, with a renew deadline of 2 s.
std::vector<std::string> short_lease(const std::string& ns) {
  return {"--leader-elect", "--leader-election-namespace=" + ns, "--leader-elect-lease-duration=3s",
          "--leader-elect-renew-deadline=2s", "--leader-elect-retry-period=1s"};
}
std::vector<std::string> default_lease(const std::string& ns) {
  return {"--leader-elect", "--leader-election-namespace=" + ns};
}

bool leads(const Manager& manager) { return manager.metrics().find(kLeads) != std::string::npos; }
bool stands_by(const Manager& manager) { return manager.metrics().find(kStandsBy) != std::string::npos; }
bool says(const Manager& manager, const std::string& what) { return manager.log().find(what) != std::string::npos; }
void wait_until_leading(const Manager& manager) {
  eventually("it leads", [&] { return leads(manager); });
}

json::Document lease(const std::string& ns) { return get("lease", "keelson-manager", ns); }

void create_memcached(const std::string& ns) {
  kubectl({"apply", "-n", ns, "-f", "-"},
          "apiVersion: memcached.cache.example.com/v1\nkind: Memcached\nmetadata:\n  name: web\nspec:\n  size: 1\n");
}
bool has_deployment(const std::string& ns) { return get("deployment", "web", ns).root().is_object(); }

// A kubeconfig that acts as the manager's service account of config/rbac.
std::string kubeconfig_of_the_role(const TemporaryFolder& folder) {
  (void)try_kubectl({"create", "namespace", "system"});
  kubectl({"apply", "-k", std::string(KEELSON_SOURCE_DIR) + "/config/rbac"});
  auto path = folder.write("kubeconfig", kubectl({"config", "view", "--raw", "--minify"}));
  auto user = kubectl({"config", "view", "--minify", "-o", "jsonpath={.users[0].name}"});
  kubectl({"--kubeconfig=" + path, "config", "set", "users." + user + ".act-as",
           "system:serviceaccount:system:controller-manager"});
  return path;
}

TEST_CASE("P3: the standby is ready, and acquires the lease within a second after the leader gets SIGTERM") {
  install_crds();
  Namespace space;
  const auto& ns = space.name();
  Manager first(default_lease(ns));
  wait_until_leading(first);
  Manager second(default_lease(ns));
  second.wait_until_ready();
  CHECK(stands_by(second));
  create_memcached(ns);
  eventually("the deployment is there", [&] { return has_deployment(ns); });
  CHECK(second.requests(ns).of("patch") == 0);
  CHECK(lease(ns).root().at({"spec", "leaseTransitions"}).integer() == 0);

  first.stop();
  auto released = RealTime::now();
  eventually("the second leads", [&] { return says(second, "Successfully acquired lease"); });

  CHECK(RealTime::now() - released < 1s);
  CHECK(first.log().rfind("Released the lease") < first.log().rfind("Wait completed"));
  CHECK(first.log().rfind("All workers finished") < first.log().rfind("Released the lease"));
  CHECK(lease(ns).root().at({"spec", "leaseTransitions"}).integer() == 1);
  kubectl({"delete", "deployment", "web", "-n", ns});
  eventually("it is made again", [&] { return has_deployment(ns); });
  eventually("Events are recorded", [&] {
    auto events = kubectl({"get", "events", "-n", ns, "--field-selector=reason=LeaderElection", "-o", "name"});
    return std::ranges::count(events, '\n') >= 3;
  });
  second.stop();
}

TEST_CASE("P1: a standby replaces a killed leader within the lease duration and a retry period") {
  install_crds();
  Namespace space;
  Manager first(short_lease(space.name()));
  wait_until_leading(first);
  Manager second(short_lease(space.name()));
  second.wait_until_ready();

  first.process().signal(SIGKILL);
  auto killed = RealTime::now();
  eventually("the second leads", [&] { return says(second, "Successfully acquired lease"); });

  auto took = RealTime::now() - killed;
  CHECK(took < 4s + 500ms);
  CHECK(took > 1900ms);
  second.stop();
}

TEST_CASE(
    "a leader that cannot reach the API server stops working and exits with 1; a standby waits and acquires the "
    "lease") {
  install_crds();
  Namespace space;
  Manager first(short_lease(space.name()));
  wait_until_leading(first);
  Manager second(short_lease(space.name()));
  second.wait_until_ready();

  cluster("kill-apiserver");
  auto cut_off = RealTime::now();
  CHECK(first.process().wait() == 1);
  CHECK(RealTime::now() - cut_off < 4s);
  CHECK(says(first, "Failed to renew lease"));
  CHECK(says(first, "leader election lost"));
  throughout("the standby lives on", 4s, [&] { return second.process().is_running() && !leads(second); });
  CHECK(second.health("/readyz") == "ok");
  cluster("start-apiserver");

  wait_until_leading(second);
  second.stop();
}

TEST_CASE("a leader keeps its lease if the API server is back before the renew deadline") {
  install_crds();
  Namespace space;
  auto patient = std::vector<std::string>{"--leader-elect", "--leader-election-namespace=" + space.name(),
                                          "--leader-elect-lease-duration=60s", "--leader-elect-renew-deadline=50s"};
  Manager first(patient);
  wait_until_leading(first);
  Manager second(patient);
  second.wait_until_ready();
  auto acquired = lease(space.name()).root().at({"spec", "acquireTime"}).text();

  cluster("kill-apiserver");
  throughout("both live on", 2s, [&] { return first.process().is_running() && second.process().is_running(); });
  cluster("start-apiserver");
  auto renewed = value_of("lease", "keelson-manager", space.name(), ".spec.renewTime");
  REQUIRE_FALSE(renewed.empty());
  eventually("the lease is renewed",
             [&] { return value_of("lease", "keelson-manager", space.name(), ".spec.renewTime") != renewed; });

  CHECK(leads(first));
  CHECK(stands_by(second));
  CHECK(lease(space.name()).root().at({"spec", "acquireTime"}).text() == acquired);
  second.stop();
  first.stop();
}

TEST_CASE("P2: a leader that finds another holder in its lease exits with 1") {
  install_crds();
  Namespace space;
  Manager manager(default_lease(space.name()));
  wait_until_leading(manager);

  kubectl({"patch", "lease", "keelson-manager", "-n", space.name(), "--type=merge", "-p",
           R"({"spec":{"holderIdentity":"usurper"}})"});

  CHECK(manager.process().wait() == 1);
  CHECK(lease(space.name()).root().at({"spec", "holderIdentity"}).string() == "usurper");
}

TEST_CASE("fields of the lease that other clients wrote are retained") {
  install_crds();
  Namespace space;
  const auto& ns = space.name();
  kubectl({"apply", "-n", ns, "-f", "-"},
          "apiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata:\n  name: keelson-manager\n  labels: {a: b}\n"
          "spec: {holderIdentity: dead, leaseDurationSeconds: 1, leaseTransitions: 7}\n");
  Manager manager(default_lease(ns));
  wait_until_leading(manager);

  auto found = lease(ns);
  CHECK(found.root().at({"metadata", "labels", "a"}).string() == "b");
  CHECK(found.root().at({"spec", "leaseTransitions"}).integer() == 8);
  const auto renew_time = found.root().at({"spec", "renewTime"}).string();
  REQUIRE(renew_time);
  CHECK(renew_time->size() == std::string("2026-01-02T03:04:05.000006Z").size());
  manager.stop();
}

TEST_CASE("the generated role is sufficient to compete, to stand by and to record Events") {
  install_crds();
  const TemporaryFolder folder;
  auto kubeconfig = kubeconfig_of_the_role(folder);
  std::vector<std::string> arguments{"--kubeconfig=" + kubeconfig, "--leader-elect",
                                     "--leader-election-namespace=system"};
  Manager first(arguments);
  wait_until_leading(first);
  Manager second(arguments);
  second.wait_until_ready();
  eventually("the second watches", [&] { return second.requests("system").of("watch leases 200") > 0; });

  first.stop();
  wait_until_leading(second);

  auto requests = second.requests("system");
  INFO(requests.text());
  CHECK(requests.of("watch leases 403") + requests.of("update leases 403") == 0);
  eventually("the event is there", [&] { return second.requests("system").of("create events 201") > 0; });
  second.stop();
}

}  // namespace
}  // namespace keelson::testing
