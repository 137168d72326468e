// Validation with status 422: the rules of the API server that affect controllers.
#pragma once

#include <string>
#include <vector>

#include "src/sandbox/custom/definition_check.hpp"
#include "src/sandbox/kinds/served_kind.hpp"
#include "src/sandbox/requests/rejection.hpp"

namespace keelson::sandbox {

// `before` is null for a creation.
[[nodiscard]] std::vector<FieldError> validate(const ServedKind& kind, const Tree* before, const Tree& after,
                                               Subresource subresource, RuleUse rules);

}  // namespace keelson::sandbox
