// An on-call engineer with kubectl: pausing a Memcached and its Deployment, and requesting a reconcile.
#include <catch2/catch_test_macros.hpp>
#include <optional>

#include "test/cluster/harness/cluster.hpp"

namespace keelson::testing {
namespace {

using namespace std::chrono_literals;

struct Running {
  Running() {
    install_crds();
    manager.emplace(std::vector<std::string>{"--zap-log-level=5"});
    manager->wait_until_ready();
    kubectl({"apply", "-n", ns, "-f", "-"},
            "apiVersion: memcached.cache.example.com/v1\nkind: Memcached\nmetadata: {name: web}\nspec: {size: 2}\n");
    kubectl({"wait", "memcached", "web", "-n", ns, "--for=condition=Ready", "--timeout=180s"});
  }
  void annotate(const std::string& kind, const std::string& annotation) const {
    kubectl({"annotate", kind, "web", "-n", ns, "--overwrite", annotation});
  }
  void wait_for(const std::string& condition) const {
    kubectl({"wait", "memcached", "web", "-n", ns, "--for=condition=" + condition, "--timeout=180s"});
  }
  [[nodiscard]] std::optional<std::int64_t> replicas() const {
    return get("deployment", "web", ns).root().at({"spec", "replicas"}).integer();
  }
  [[nodiscard]] std::string condition(const std::string& type, const std::string& field) const {
    return kubectl({"get", "memcached", "web", "-n", ns, "-o",
                    "jsonpath={.status.conditions[?(@.type==\"" + type + "\")]." + field + "}"});
  }
  [[nodiscard]] std::string ready() const { return condition("Ready", "status") + condition("Ready", "reason"); }

  Namespace space;
  const std::string& ns = space.name();
  std::optional<Manager> manager;
};

TEST_CASE("kubectl annotate pauses a Memcached, and removing the annotation resumes it") {
  Running running;
  const auto& ns = running.ns;
  const auto ready = running.ready();

  running.manager->mark();
  running.annotate("memcached", "keelson.dev/paused=true");
  running.wait_for("Paused");
  // kube-apiserver writes a line of the audit log after its reply.
  eventually("the audit log has the write of the condition",
             [&] { return running.manager->requests(ns).of("patch memcacheds/status 200") > 0; });
  running.manager->mark();
  kubectl({"scale", "deployment/web", "--replicas=4", "-n", ns});
  kubectl({"patch", "memcached", "web", "-n", ns, "--type=merge", "-p", R"({"spec":{"size":3}})"});
  throughout("the drift remains", 3s, [&] { return running.replicas() == 4; });

  const auto requests = running.manager->requests(ns);
  INFO(requests.text());
  CHECK(requests.all_but_watches() == 0);
  CHECK(running.ready() == ready);
  running.annotate("memcached", "keelson.dev/paused-");
  eventually("the new spec is applied", [&] { return running.replicas() == 3; });
  running.wait_for("Paused=false");
  CHECK(running.condition("Paused", "reason") == "Resumed");
  running.wait_for("Ready");
}

TEST_CASE("kubectl annotate pauses a Deployment only, and its Memcached names it") {
  Running running;
  const auto& ns = running.ns;

  running.annotate("deployment", "keelson.dev/paused=true");
  running.wait_for("Paused");
  CHECK(running.condition("Paused", "message").find("Deployment " + ns + "/web is not changed.") == 0);
  kubectl({"scale", "deployment/web", "--replicas=4", "-n", ns});
  kubectl({"delete", "service", "web", "-n", ns});
  eventually("the Service is back", [&] { return get("service", "web", ns).root().is_object(); });
  throughout("the Deployment is left alone", 2s, [&] { return running.replicas() == 4; });

  running.annotate("deployment", "keelson.dev/paused-");
  eventually("the drift is corrected", [&] { return running.replicas() == 2; });
  running.wait_for("Paused=false");
}

TEST_CASE("kubectl annotate requests a reconcile, which writes nothing") {
  Running running;
  running.manager->mark();

  running.annotate("memcached", "keelson.dev/reconcile-at=now");

  eventually("the log has the reason",
             [&] { return running.manager->log().find("reconcile-at changed") != std::string::npos; });
  const auto requests = running.manager->requests(running.ns);
  INFO(requests.text());
  CHECK(requests.all_but_watches() == 0);
}

}  // namespace
}  // namespace keelson::testing
