// Validates a CustomResourceDefinition: names, versions, schemas, subresources, columns.
#pragma once

#include <vector>

#include "src/sandbox/requests/rejection.hpp"

namespace keelson::sandbox {

// The handling of x-kubernetes-validations.
enum class RuleUse { kChecked, kIgnored };

// `before` is null for a creation.
void check_definition(const Tree* before, const Tree& after, RuleUse rules, std::vector<FieldError>& errors);

}  // namespace keelson::sandbox
