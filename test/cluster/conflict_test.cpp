// Two managers without a common lease and with different default images: each changes the Deployment of the other back.
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <memory>
#include <string>

#include "test/cluster/harness/audit.hpp"
#include "test/cluster/harness/cluster.hpp"

namespace keelson::testing {
namespace {

using namespace std::chrono_literals;

constexpr const char* kMemcached =
    "apiVersion: memcached.cache.example.com/v1\nkind: Memcached\nmetadata: {name: web}\nspec: {size: 1}\n";

std::unique_ptr<Manager> manager_with_image(const char* image) {
  ::setenv("MEMCACHED_IMAGE", image, 1);
  auto manager = std::make_unique<Manager>(std::vector<std::string>{"--controllers=memcached"});
  ::unsetenv("MEMCACHED_IMAGE");
  manager->wait_until_ready();
  return manager;
}

std::string image_of(const std::string& ns) {
  return value_of("deployment", "web", ns, ".spec.template.spec.containers[0].image");
}

std::string conflict_of(const std::string& ns) {
  return value_of("memcached", "web", ns, ".status.conditions[?(@.type==\"Conflict\")].message");
}

int updates_of_the_deployment(const std::string& ns, std::size_t from) {
  int updates = 0;
  for (const auto& request : audited(ns, from)) {
    const bool is_update = request.resource == "deployments" && request.verb == "patch" && request.code == 200;
    updates += is_update ? 1 : 0;
  }
  return updates;
}

}  // namespace

TEST_CASE("two managers with different images stop fighting, report the field once, and recover when one ends",
          "[slow]") {
  install_crds();
  Namespace space;
  const auto& ns = space.name();
  const auto first = manager_with_image("memcached:1.6.1");
  auto second = manager_with_image("memcached:1.6.2");
  const auto from = audit_end();

  kubectl({"apply", "-n", ns, "-f", "-"}, kMemcached);
  eventually(
      "the conflict is reported", [&] { return !conflict_of(ns).empty(); }, 180s);
  pause(2s);  // for the audit log

  CHECK(updates_of_the_deployment(ns, from) <= 9);
  CHECK(conflict_of(ns).starts_with("Deployment " + ns +
                                    "/web: "
                                    "spec.template.spec.containers[name=memcached].image is changed by another process "
                                    "with the field manager keelson"));
  const auto slow_from = audit_end();
  pause(60s);
  CHECK(updates_of_the_deployment(ns, slow_from) <= 1);
  CHECK(kubectl({"get", "events", "-n", ns, "--field-selector", "reason=FieldConflict", "-o",
                 "jsonpath={.items[*].type}"}) == "Warning");
  const auto metrics = first->metrics() + second->metrics();
  CHECK(metrics.find("keelson_write_conflicts_total{controller=\"memcached\"} 1") != std::string::npos);
  CHECK(metrics.find("keelson_contested_children{controller=\"memcached\"} 1") != std::string::npos);
  // Also in the manager that did not detect it.
  CHECK(first->metrics().find("\nkeelson_corrections_total{controller=\"memcached\"}") != std::string::npos);
  CHECK(second->metrics().find("\nkeelson_corrections_total{controller=\"memcached\"}") != std::string::npos);

  second->stop();
  second.reset();
  eventually(
      "the first manager's image is there", [&] { return image_of(ns) == "memcached:1.6.1"; }, 180s);
  eventually(
      "the conflict is over", [&] { return conflict_of(ns).empty(); }, 180s);
}

}  // namespace keelson::testing
