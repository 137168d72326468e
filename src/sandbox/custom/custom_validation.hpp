// Validates a custom object against the schema of its kind.
#pragma once

#include <vector>

#include "src/sandbox/kinds/served_kind.hpp"
#include "src/sandbox/requests/rejection.hpp"

namespace keelson::sandbox {

enum class Written { kObject, kStatus };

// `before` is null for a creation.
void validate_custom(const ServedKind& kind, const Tree* before, const Tree& after, Written written,
                     std::vector<FieldError>& errors);

}  // namespace keelson::sandbox
