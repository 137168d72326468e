// Whether the schema of a version is structural, and what else the API server demands of one.
#pragma once

#include <string>

#include "src/sandbox/custom/field_errors.hpp"

namespace keelson::sandbox {

// What the patterns of a definition may take together, in instructions: some 20 MB.
inline constexpr std::size_t kPatternBudget = 300'000;

// `path`: "spec.validation.openAPIV3Schema". Takes what its patterns need from the budget.
void check_structure(const Tree& schema, const std::string& path, std::size_t pattern_budget, FieldErrors& errors);

// The rules that hold at every level: keywords that are not supported, list and map types, defaults that are forbidden.
void check_schema_keywords(const Tree& schema, const std::string& path, FieldErrors& errors);

// Defaults must be valid. Of a schema that is structural.
void check_schema_defaults(const Tree& schema, const std::string& path, FieldErrors& errors);

}  // namespace keelson::sandbox
