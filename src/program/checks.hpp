// The checks of /healthz and /readyz in every program; webhooks add their own check.
#pragma once

#include "keelson/detail/cache/cache.hpp"
#include "keelson/detail/lifecycle/health.hpp"
#include "keelson/program/operator.hpp"

namespace keelson::program {

// Includes the checks of the operator. `cache` must outlive them.
[[nodiscard]] lifecycle::HealthChecks make_health_checks(const cache::Cache& cache, const Additions& additions = {});

}  // namespace keelson::program
