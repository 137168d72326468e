// The files of config/rbac that are the same for every operator, whatever its controllers do.
#pragma once

#include <string>
#include <vector>

#include "src/program/generate.hpp"

namespace keelson::program {

[[nodiscard]] std::vector<GeneratedFile> fixed_roles(const kube::OperatorName& name);
// For --webhook-self-signed: of use to an operator with webhooks alone.
[[nodiscard]] std::string webhook_certificate_role(const kube::OperatorName& name);

}  // namespace keelson::program
