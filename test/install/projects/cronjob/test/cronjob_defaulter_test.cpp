#include "cronjob/cronjob_defaulter.hpp"

#include <catch2/catch_test_macros.hpp>

TEST_CASE("cronjob: the webhook sets fields that are left out, and no others") {
  cronjob::CronJob object;
  auto& spec = object.spec;
  spec.suspend = true;

  cronjob::set_defaults(object);

  CHECK(spec.concurrency_policy == "Allow");
  CHECK(spec.suspend == true);
  CHECK(spec.successful_jobs_history_limit == 3);
  CHECK(spec.failed_jobs_history_limit == 1);
}
