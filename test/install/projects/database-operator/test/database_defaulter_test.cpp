#include "database/database_defaulter.hpp"

#include <catch2/catch_test_macros.hpp>

namespace database {

TEST_CASE("database: the webhook sets fields that are left out, and no others") {
  Database object;
  object.spec.replicas = 3;

  set_defaults(object, nullptr);

  CHECK(object.spec.engine == "postgres");
  CHECK(object.spec.replicas == 3);
  CHECK(object.spec.storage == keelson::kube::Quantity("1Gi"));
  CHECK_FALSE(object.spec.backup_schedule);
}

TEST_CASE("database: a field that an update leaves out keeps its value") {
  Database old;
  old.spec.engine = "mysql";
  old.spec.replicas = 2;
  old.spec.storage = keelson::kube::Quantity("5Gi");
  Database object;
  object.spec.replicas = 4;

  set_defaults(object, &old);

  CHECK(object.spec.engine == "mysql");
  CHECK(object.spec.replicas == 4);
  CHECK(object.spec.storage == keelson::kube::Quantity("5Gi"));
}

}  // namespace database
