#include "src/program/checks.hpp"

namespace keelson::program {

namespace {

// A kind without an event or bookmark for this time is stale. The API server sends a bookmark about once a minute.
constexpr auto kFresh = std::chrono::minutes(3);

}  // namespace

lifecycle::HealthChecks make_health_checks(const cache::Cache& cache, const Additions& additions) {
  auto ping = [] { return Result<void>(); };
  lifecycle::HealthChecks checks;
  checks.healthz = {{"healthz", ping}};
  checks.readyz = {{"readyz", ping},
                   {"caches", [&cache] { return cache.check_synced(); }},
                   {"fresh", [&cache] { return cache.check_fresh(kFresh); }, false}};
  for (const auto& [name, run] : additions.healthz) checks.healthz.push_back({name, run});
  for (const auto& [name, run] : additions.readyz) checks.readyz.push_back({name, run});
  return checks;
}

}  // namespace keelson::program
