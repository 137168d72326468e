// Checks the texts of a validation rule without compiling it.
#pragma once

#include <string>

#include "src/sandbox/custom/field_errors.hpp"

namespace keelson::sandbox {

// `path`: "spec.validation.openAPIV3Schema.x-kubernetes-validations[0]". The schema is not structural if it is null.
void check_rule_texts(const Tree& rule, const Tree* schema, const std::string& path, FieldErrors& errors);

}  // namespace keelson::sandbox
