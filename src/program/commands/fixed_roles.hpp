// The files of config/rbac that do not depend on the controllers of an operator.
#pragma once

#include <string>
#include <vector>

#include "src/program/commands/generate.hpp"

namespace keelson::program {

[[nodiscard]] std::vector<GeneratedFile> fixed_roles(const kube::OperatorName& name);
// For --webhook-self-signed; only operators with webhooks need it.
[[nodiscard]] std::string webhook_certificate_role(const kube::OperatorName& name);

}  // namespace keelson::program
