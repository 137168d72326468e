// All metrics of a manager with the given controllers, collected from the services themselves.
#pragma once

#include <vector>

#include "keelson/controller/definition.hpp"
#include "keelson/metrics/registry.hpp"

namespace keelson::reference {

// Creates and starts all services with metrics briefly, on an API server in this process, with leader election and
// webhooks. Sorted by name.
[[nodiscard]] std::vector<metrics::FamilyFacts> metric_families(const std::vector<controller::Definition>& definitions);

}  // namespace keelson::reference
