// The fields of built-in kinds that stay as they were created.
#pragma once

#include <vector>

#include "src/sandbox/refusal.hpp"
#include "src/sandbox/served_kind.hpp"

namespace keelson::sandbox {

[[nodiscard]] FieldError immutable(std::string field, const Tree& value);

// Which of them an update changes.
void check_immutable_fields(const ServedKind& kind, const Tree& before, const Tree& after,
                            std::vector<FieldError>& errors);

}  // namespace keelson::sandbox
