// The role that `manager doctor` and `support-bundle` need, for `manager doctor --role`.
#pragma once

#include <string>
#include <vector>

#include "keelson/controller/definition.hpp"
#include "keelson/kube/client.hpp"

namespace keelson::program {

// YAML: a ClusterRole and a Role in the manager's namespace `ns`, bound to its ServiceAccount.
[[nodiscard]] std::string doctor_role(const kube::OperatorName& name,
                                      const std::vector<controller::Definition>& controllers, const std::string& ns);

}  // namespace keelson::program
