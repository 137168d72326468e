// The file for kube-state-metrics (CustomResourceStateMetrics): series of each object, from the declarations of the
// kinds.
#pragma once

#include <string>
#include <vector>

#include "keelson/controller/definition.hpp"
#include "keelson/kube/client.hpp"

namespace keelson::program {

// For each kind whose controller sets conditions: its conditions, generations and deletion, and the top-level fields of
// its spec and status that are numbers, booleans or times. Empty without such kinds. The names of the series begin with
// the operator and the kind, "keelson_memcached_", because one name with two kinds would be declared twice.
[[nodiscard]] std::string state_metrics_yaml(const std::vector<controller::Definition>& definitions,
                                             const kube::OperatorName& name);

}  // namespace keelson::program
