// Every series that a manager of these controllers can show, asked of the services themselves.
#pragma once

#include <vector>

#include "keelson/controller/definition.hpp"
#include "keelson/metrics/registry.hpp"

namespace keelson::reference {

// All that counts in a running manager is made and started for a moment, on an API server in this process, with leader
// election and webhooks. Sorted by name.
[[nodiscard]] std::vector<metrics::FamilyFacts> metric_families(const std::vector<controller::Definition>& definitions);

}  // namespace keelson::reference
