// Checks that the schema of a version is structural, and the other rules for schemas.
#pragma once

#include <set>
#include <string>

#include "src/sandbox/custom/field_errors.hpp"

namespace keelson::sandbox {

// The limit of the compiled patterns of a definition, in instructions: about 40 MB.
inline constexpr std::size_t kPatternBudget = 400'000;

// `path`: "spec.validation.openAPIV3Schema". Subtracts the instructions of its patterns from the budget.
void check_structure(const Tree& schema, const std::string& path, std::size_t pattern_budget, FieldErrors& errors);

// Schemas by address.
using SchemaSet = std::set<const Tree*>;

// The rules for every level: unsupported keywords, list and map types, forbidden defaults, texts of rules. Returns the
// schemas that have errors at their level or below.
// `is_structural`: it has no unsupported keyword.
[[nodiscard]] SchemaSet check_schema_keywords(const Tree& schema, const std::string& path, bool is_structural,
                                              FieldErrors& errors);

// Checks that defaults are valid. The schema must be structural.
void check_schema_defaults(const Tree& schema, const std::string& path, FieldErrors& errors);

}  // namespace keelson::sandbox
