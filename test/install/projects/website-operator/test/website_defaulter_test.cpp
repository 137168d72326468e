#include "website/website_defaulter.hpp"

#include <catch2/catch_test_macros.hpp>

namespace website {

TEST_CASE("website: the webhook sets one pod as the default") {
  Website object;
  set_defaults(object);
  CHECK(object.spec.replicas == 1);

  object.spec.replicas = 3;
  set_defaults(object);
  CHECK(object.spec.replicas == 3);
}

}  // namespace website
