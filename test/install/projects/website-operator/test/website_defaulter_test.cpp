#include "website/website_defaulter.hpp"

#include <catch2/catch_test_macros.hpp>

namespace website {

TEST_CASE("website: the webhook sets one pod as the default") {
  WebsiteSpec spec;
  set_defaults(spec);
  CHECK(spec.replicas == 1);

  spec.replicas = 3;
  set_defaults(spec);
  CHECK(spec.replicas == 3);
}

}  // namespace website
