#include "keelson/kube/identity.hpp"

#include <catch2/catch_test_macros.hpp>

namespace keelson::kube {
namespace {

TEST_CASE("the plural of a kind follows the rules of English unless it is given") {
  const auto plural_of = [](std::string_view kind) { return Identity{"g", "v1", kind}.resource().plural; };

  CHECK(plural_of("Memcached") == "memcacheds");
  CHECK(plural_of("CronJob") == "cronjobs");
  CHECK(plural_of("Policy") == "policies");
  CHECK(plural_of("Gateway") == "gateways");
  CHECK(plural_of("Ingress") == "ingresses");
  CHECK(plural_of("Box") == "boxes");
  CHECK(plural_of("Patch") == "patches");
  CHECK(Identity{"g", "v1", "Ox", "oxen"}.resource().plural == "oxen");
}

TEST_CASE("a kind is in namespaces unless its identity says otherwise") {
  CHECK(Identity{"g", "v1", "Site"}.resource().namespaced);
  CHECK_FALSE(Identity{"g", "v1", "Site", {}, Scope::kCluster}.resource().namespaced);
}

}  // namespace
}  // namespace keelson::kube
