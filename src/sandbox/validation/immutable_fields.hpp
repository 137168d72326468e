// The immutable fields of built-in kinds.
#pragma once

#include <vector>

#include "src/sandbox/kinds/served_kind.hpp"
#include "src/sandbox/requests/rejection.hpp"

namespace keelson::sandbox {

[[nodiscard]] FieldError immutable(std::string field, const Tree& value);

// The errors for the immutable fields that an update changes.
void check_immutable_fields(const ServedKind& kind, const Tree& before, const Tree& after,
                            std::vector<FieldError>& errors);

}  // namespace keelson::sandbox
