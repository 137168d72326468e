// ResourceQuotas: a write may not raise the usage of its namespace above their amounts.
//
// The usage is counted from the objects at each write, so it does not depend on the quota's status.
#pragma once

#include <string>

#include "src/sandbox/admission/attributes.hpp"

namespace keelson::sandbox {

// Whether the namespace has a quota.
[[nodiscard]] bool has_quota(const World& world, const std::string& ns);

// The reason why a write exceeds a quota of its namespace; empty: it does not.
[[nodiscard]] std::string quota_error(const World& world, const ServedKind& kind, const Attributes& attributes);

}  // namespace keelson::sandbox
