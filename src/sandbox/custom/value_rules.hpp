// x-kubernetes-validations: the rules of a schema, compiled when its definition comes, and holding objects against
// them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "keelson/cel/program.hpp"
#include "src/sandbox/custom/field_errors.hpp"
#include "src/sandbox/custom/value_schema.hpp"

namespace keelson::sandbox {

struct ValueRule {
  std::string rule;
  std::string message;
  std::string reason;
  std::string field;  // "spec.size", below the value
  bool has_optional_old = false;
  bool uses_old = false;
  cel::Program program;
  std::optional<cel::Program> message_program;
};

struct ValueRules {
  std::vector<ValueRule> rules;
};

// Adds the rules that compile to a schema made of this tree.
void attach_rules(ValueSchema& schema, const Tree& openapi);

// Reports what is wrong with the rules of a schema, all of its levels. Takes the bytes of its rules from `budget`.
void check_rules(const Tree& openapi, const std::string& path, std::size_t budget, FieldErrors& errors);
inline constexpr std::size_t kRuleBudget = std::size_t{256} << 10;

// Holds an object against the rules of its schema. `before` is null for a creation.
void check_against_rules(const ValueSchema& schema, const Tree* before, const Tree& after,
                         std::vector<FieldError>& errors);

}  // namespace keelson::sandbox
