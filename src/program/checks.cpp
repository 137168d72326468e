#include "src/program/checks.hpp"

namespace keelson::program {

namespace {

// contract: no event or bookmark for so long is stale.
constexpr auto kFresh = std::chrono::minutes(3);

}  // namespace

manager::HealthChecks make_health_checks(const cache::Cache& cache) {
  auto ping = [] { return Result<void>(); };
  manager::HealthChecks checks;
  checks.healthz = {{"healthz", ping}};
  checks.readyz = {{"readyz", ping},
                   {"caches", [&cache] { return cache.check_synced(); }},
                   {"fresh", [&cache] { return cache.check_fresh(kFresh); }, false}};
  return checks;
}

}  // namespace keelson::program
