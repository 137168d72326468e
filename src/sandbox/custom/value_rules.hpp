// x-kubernetes-validations: compiles the rules of a schema when its definition is written, and evaluates them on
// objects.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "keelson/detail/cel/program.hpp"
#include "src/sandbox/custom/field_errors.hpp"
#include "src/sandbox/custom/structural_check.hpp"
#include "src/sandbox/custom/value_schema.hpp"

namespace keelson::sandbox {

struct ValueRule {
  std::string rule;
  std::string message;
  FieldReason reason = FieldReason::kInvalid;
  std::string field;  // "spec.size", below the value
  bool has_optional_old = false;
  bool uses_old = false;
  cel::Program program;
  std::optional<cel::Program> message_program;
};

struct ValueRules {
  std::vector<ValueRule> rules;
};

// Adds the rules that compile to a schema that was compiled from this tree.
void attach_rules(ValueSchema& schema, const Tree& openapi);

// Reports the errors of the compiled rules of all levels of a schema, except those that have other errors. Subtracts
// the bytes of the rules from `budget`.
void check_rules(const Tree& openapi, const std::string& path, std::size_t budget, const SchemaSet& skipped,
                 FieldErrors& errors);
inline constexpr std::size_t kRuleBudget = std::size_t{256} << 10;

// Evaluates the rules of a schema on an object. `before` is null for a creation.
void check_against_rules(const ValueSchema& schema, const Tree* before, const Tree& after,
                         std::vector<FieldError>& errors);

}  // namespace keelson::sandbox
