// Validates the specs of pods, workloads and Services: the fields that are forgotten most often.
#pragma once

#include <vector>

#include "src/sandbox/kinds/served_kind.hpp"
#include "src/sandbox/requests/rejection.hpp"

namespace keelson::sandbox {

// Adds no errors for a spec that did not change. `before` is null for a creation.
void validate_spec(const ServedKind& kind, const Tree* before, const Tree& after, std::vector<FieldError>& errors);

}  // namespace keelson::sandbox
