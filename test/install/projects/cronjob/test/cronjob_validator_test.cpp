#include "cronjob/cronjob_validator.hpp"

#include <catch2/catch_test_macros.hpp>

TEST_CASE("cronjob: the webhook rejects a schedule that is not one") {
  cronjob::CronJobSpec spec;
  spec.schedule = "*/1 * * * *";
  CHECK(cronjob::validate(spec).empty());

  spec.schedule = "at noon";
  REQUIRE(cronjob::validate(spec).size() == 1);
}
