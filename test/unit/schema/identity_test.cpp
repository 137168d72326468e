#include "keelson/schema/identity.hpp"

#include <catch2/catch_test_macros.hpp>

namespace keelson::kube {
namespace {

TEST_CASE("the plural of a kind is derived by the rules of English unless it is given") {
  const auto plural_of = [](const Identity& identity) { return identity.resource().plural; };

  CHECK(plural_of({"g", "v1", "Memcached"}) == "memcacheds");
  CHECK(plural_of({"g", "v1", "CronJob"}) == "cronjobs");
  CHECK(plural_of({"g", "v1", "Policy"}) == "policies");
  CHECK(plural_of({"g", "v1", "Gateway"}) == "gateways");
  CHECK(plural_of({"g", "v1", "Ingress"}) == "ingresses");
  CHECK(plural_of({"g", "v1", "Box"}) == "boxes");
  CHECK(plural_of({"g", "v1", "Patch"}) == "patches");
  CHECK(Identity{"g", "v1", "Ox", "oxen"}.resource().plural == "oxen");
}

TEST_CASE("a kind is namespaced unless its identity is cluster-scoped") {
  CHECK(Identity{"g", "v1", "Site"}.resource().namespaced);
  CHECK_FALSE(Identity{"g", "v1", "Site", {}, Scope::kCluster}.resource().namespaced);
}

}  // namespace
}  // namespace keelson::kube
