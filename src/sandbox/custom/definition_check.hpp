// What the API server demands of a CustomResourceDefinition: names, versions, schemas, subresources, columns.
#pragma once

#include <vector>

#include "src/sandbox/refusal.hpp"

namespace keelson::sandbox {

// `before` is null for a creation.
void check_definition(const Tree* before, const Tree& after, std::vector<FieldError>& errors);

}  // namespace keelson::sandbox
