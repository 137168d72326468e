// Writes of roles and bindings under RBAC: users may grant only what they have themselves.
//
// Except with the verb `escalate` on roles, `bind` on the role of a binding, and for system:masters.
#pragma once

#include <optional>

#include "src/sandbox/call.hpp"

namespace keelson::sandbox {

// The refusal of a write of `after` in the place of `before` (null: new), of any kind.
[[nodiscard]] std::optional<Refusal> check_escalation(const Call& call, const Tree* before, const Tree& after);

}  // namespace keelson::sandbox
