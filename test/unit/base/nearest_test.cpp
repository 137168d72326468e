#include "keelson/detail/base/nearest.hpp"

#include <catch2/catch_test_macros.hpp>

namespace keelson::base {
namespace {

TEST_CASE("the nearest name is the name with the fewest changes, and a text unlike all names has none") {
  const std::vector<std::string_view> known{"kubeconfig", "controllers", "metrics-addr"};

  CHECK(nearest("kubeconfg", known) == "kubeconfig");
  CHECK(nearest("kube-config", known) == "kubeconfig");
  CHECK(nearest("contollers", known) == "controllers");
  CHECK(nearest("metric-adr", known) == "metrics-addr");
  CHECK_FALSE(nearest("x", known).has_value());
  CHECK_FALSE(nearest("", known).has_value());
  CHECK_FALSE(nearest("leader-elect", known).has_value());
  CHECK_FALSE(nearest(std::string(100000, 'k'), known).has_value());
  CHECK_FALSE(nearest("a", {}).has_value());
}

}  // namespace
}  // namespace keelson::base
