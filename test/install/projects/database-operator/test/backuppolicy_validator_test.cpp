#include "backuppolicy/backuppolicy_validator.hpp"

#include <catch2/catch_test_macros.hpp>

namespace backuppolicy {

TEST_CASE("backuppolicy: the webhook rejects a schedule and a selector that cannot work") {
  BackupPolicy object;
  object.spec.schedule = "0 3 * * *";
  CHECK(validate(object, nullptr).empty());

  object.spec.schedule = "0 25 * * *";
  object.spec.databases.match_expressions = {{.key = "tier", .operator_ = "Like", .values = {"gold"}}};
  const auto errors = validate(object, nullptr);
  REQUIRE(errors.size() == 2);
  CHECK(errors[0].message().starts_with("spec.schedule: Invalid value"));
  CHECK(errors[1].message().starts_with("spec.databases: "));
}

}  // namespace backuppolicy
