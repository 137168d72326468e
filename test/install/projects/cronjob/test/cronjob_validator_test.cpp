#include "cronjob/cronjob_validator.hpp"

#include <catch2/catch_test_macros.hpp>

TEST_CASE("cronjob: the webhook rejects a schedule that is not one") {
  cronjob::CronJob object;
  object.spec.schedule = "*/1 * * * *";
  CHECK(cronjob::validate(object, nullptr).empty());

  object.spec.schedule = "at noon";
  REQUIRE(cronjob::validate(object, nullptr).size() == 1);
}
