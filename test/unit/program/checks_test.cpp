#include "src/program/checks.hpp"

#include <catch2/catch_test_macros.hpp>

#include "test/unit/controller/fakes.hpp"

namespace keelson::program {
namespace {

using namespace std::chrono_literals;

int status_of(const lifecycle::HealthChecks& checks, const std::string& path) {
  net::Request request;
  request.target = path;
  return lifecycle::answer_health(checks, request).status;
}

TEST_CASE("a manager is alive, and ready once its caches have synced") {
  testing::FakeCache cache;
  (void)cache.declare({.resource = kube::pods()});
  const auto checks = make_health_checks(cache);

  cache.of(kube::pods()).synced = false;
  CHECK(status_of(checks, "/healthz") == 200);
  CHECK(status_of(checks, "/readyz") == 500);
  CHECK(status_of(checks, "/readyz/caches") == 500);

  cache.of(kube::pods()).synced = true;
  CHECK(status_of(checks, "/readyz") == 200);
  CHECK(status_of(checks, "/readyz/caches") == 200);
}

TEST_CASE("checks of an operator are part of /healthz and /readyz, and available by their names") {
  testing::FakeCache cache;
  bool is_open = true;
  const auto store = [&is_open] {
    return is_open ? Result<void>() : Result<void>(invalid_error("the store is closed"));
  };
  Additions additions;
  additions.healthz.push_back({"disk", store});
  additions.readyz.push_back({"store", store});
  const auto checks = make_health_checks(cache, additions);

  CHECK(status_of(checks, "/healthz/disk") == 200);
  CHECK(status_of(checks, "/readyz") == 200);

  is_open = false;
  CHECK(status_of(checks, "/healthz") == 500);
  CHECK(status_of(checks, "/readyz/store") == 500);
  CHECK(status_of(checks, "/readyz") == 500);
  CHECK(status_of(checks, "/readyz/caches") == 200);
}

TEST_CASE("caches are stale after three minutes without an event, and the manager stays ready") {
  testing::FakeCache cache;
  const auto checks = make_health_checks(cache);

  cache.silent_for = 3min;
  CHECK(status_of(checks, "/readyz/fresh") == 200);

  cache.silent_for = 3min + 1s;
  CHECK(status_of(checks, "/readyz/fresh") == 500);
  CHECK(status_of(checks, "/readyz") == 200);
}

}  // namespace
}  // namespace keelson::program
