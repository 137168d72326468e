// Authorizes writes of roles and bindings under RBAC: users can only grant permissions that they have themselves.
//
// Exceptions are the verb `escalate` on roles, the verb `bind` on the role of a binding, and the group system:masters.
#pragma once

#include <cstddef>
#include <optional>

#include "src/sandbox/requests/call.hpp"

namespace keelson::limits {

// The permissions that a write of a role or binding grants.
inline constexpr std::size_t kSandboxGrantedPermissions = 10'000;

}  // namespace keelson::limits

namespace keelson::sandbox {

// The rejection of a write that replaces `before` (null: a creation) by `after`, for objects of any kind.
[[nodiscard]] RejectionOr<void> check_escalation(const Call& call, const Tree* before, const Tree& after);

}  // namespace keelson::sandbox
