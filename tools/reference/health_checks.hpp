// Argo CD's health checks (deploy/argocd/health-checks.yaml): the same check for every kind with a controller.
#pragma once

#include <string>
#include <vector>

#include "keelson/controller/definition.hpp"

namespace keelson::reference {

// A patch for the ConfigMap that Argo CD reads. `check` is the text of deploy/argocd/health.lua.
[[nodiscard]] std::string health_checks(const std::vector<controller::Definition>& definitions,
                                        const std::string& check);

}  // namespace keelson::reference
