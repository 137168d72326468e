// Finds the rule that the operator's definitions lack, if that is the cause of a 403.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "keelson/controller/definition.hpp"
#include "keelson/kube/client.hpp"

namespace keelson::sandbox {

// "add .rbac({"", "services", {"create"}}) to the definition of controller website"; nullopt if the rules of the
// definitions allow the request, because the test itself forbids it.
[[nodiscard]] std::optional<std::string> missing_rule(const kube::ApiRequest& request, const Error& error,
                                                      const std::vector<controller::Definition>& definitions);

}  // namespace keelson::sandbox
