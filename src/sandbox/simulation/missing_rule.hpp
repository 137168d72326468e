// Whether a 403 is due to a rule that the operator's definitions lack, and what to add to them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "keelson/controller/definition.hpp"
#include "keelson/kube/client.hpp"

namespace keelson::sandbox {

// `.needs({"", "services", {"create"}})` and where it belongs; nothing if the rules of the definitions allow the
// request: a test forbids it.
[[nodiscard]] std::optional<std::string> missing_rule(const kube::ApiRequest& request, const Error& error,
                                                      const std::vector<controller::Definition>& definitions);

}  // namespace keelson::sandbox
