// What /healthz and /readyz answer with in every program; webhooks add their own check.
#pragma once

#include "keelson/cache/cache.hpp"
#include "keelson/manager/health.hpp"
#include "keelson/program/operator.hpp"

namespace keelson::program {

// With those of the operator. `cache` must outlive the checks.
[[nodiscard]] manager::HealthChecks make_health_checks(const cache::Cache& cache, const Additions& additions = {});

}  // namespace keelson::program
