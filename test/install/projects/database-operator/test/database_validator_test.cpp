#include "database/database_validator.hpp"

#include <catch2/catch_test_macros.hpp>

namespace database {
using namespace keelson;

TEST_CASE("database: the webhook rejects a schedule that is none") {
  Database object;
  object.spec.backup_schedule = "0 3 * * *";
  CHECK(validate(object, nullptr).empty());

  object.spec.backup_schedule = "at night";
  REQUIRE(validate(object, nullptr).size() == 1);
  CHECK(validate(object, nullptr).front().message().starts_with(R"(spec.backupSchedule: Invalid value: "at night")"));
  // Otherwise a Database that is older than the rule could not be changed at all.
  CHECK(validate(object, &object).empty());
}

TEST_CASE("database: the webhook rejects another engine and a smaller volume") {
  Database old;
  old.spec.storage = kube::Quantity("2Gi");
  auto object = old;
  object.spec.storage = kube::Quantity("2048Mi");
  CHECK(validate(object, &old).empty());
  object.spec.storage = kube::Quantity("3Gi");
  CHECK(validate(object, &old).empty());

  object.spec.storage = kube::Quantity("2047Mi");
  object.spec.engine = "mysql";
  const auto errors = validate(object, &old);
  REQUIRE(errors.size() == 2);
  CHECK(errors[0].message() == "spec.engine: Forbidden: the engine cannot be changed: create another Database");
  CHECK(errors[1].message() == "spec.storage: Forbidden: volumes cannot shrink from 2Gi");
}

TEST_CASE("database: the annotation protects a Database from deletion") {
  Database object;
  CHECK_FALSE(is_protected(object));
  object.metadata.annotations[kProtected] = "false";
  CHECK_FALSE(is_protected(object));
  object.metadata.annotations[kProtected] = "true";
  CHECK(is_protected(object));
}

}  // namespace database
