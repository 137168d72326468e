// The CEL expressions of webhook configurations and admission policies: their variables, compilation and values.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "keelson/detail/cel/program.hpp"
#include "src/sandbox/admission/attributes.hpp"

namespace keelson::sandbox {

// The variables that an expression may use in addition to object, oldObject, request and namespaceObject.
struct ExpressionScope {
  bool has_params = false;
  cel::TypePointer variables = nullptr;  // of a policy with variables; null: none
};

enum class ExpressionResult { kAny, kBool, kString, kStringOrNull, kPatch, kObject };

struct CompiledExpression {
  std::string text;
  std::optional<cel::Program> program;
  std::string error;          // of the compilation, as the API server reports it; empty: none
  std::string type_mismatch;  // an error that the API server reports when it evaluates the expression
};
[[nodiscard]] CompiledExpression compile_expression(std::string text, const ExpressionScope& scope,
                                                    ExpressionResult expected);

// The cost that an evaluation may still have, in the steps of cel::Program.
struct ExpressionBudget {
  std::size_t left = 10'000'000;
};

struct PolicyVariable {
  std::string name;
  CompiledExpression expression;
};

// The values of the variables for one request.
class ExpressionInput {
 public:
  // The namespace may be null. `version` is the version of the resource that was matched.
  ExpressionInput(const World& world, const Attributes& attributes, const std::string& version);

  void set_params(const Tree& params);
  // Evaluates the variables in their order: each may use those before it.
  void set_variables(const std::vector<PolicyVariable>& variables, ExpressionBudget& budget);
  // The value, or an error value with the API server's text.
  [[nodiscard]] cel::Value evaluate(const CompiledExpression& expression, ExpressionBudget& budget) const;

 private:
  [[nodiscard]] cel::Value run(const cel::Program& program, ExpressionBudget& budget) const;

  std::size_t steps_;  // for the conversion of objects into values
  bool has_large_params_ = false;
  cel::Value object_;
  cel::Value old_object_;
  cel::Value request_;
  cel::Value namespace_;
  cel::Value params_;
  cel::Value variables_;
};

// Whether this is the error of an evaluation that exhausted its budget: nothing more is evaluated.
[[nodiscard]] bool is_out_of_budget(const cel::Value& value);

struct MatchCondition {
  std::string name;
  CompiledExpression expression;
};
// The matchConditions of a webhook or of the spec of a policy.
[[nodiscard]] std::vector<MatchCondition> match_conditions(const Tree& described, bool has_params);

struct ConditionsMet {
  bool all = true;
  std::string error;  // if it is not empty, the request is rejected
};
[[nodiscard]] ConditionsMet meets_conditions(const std::vector<MatchCondition>& conditions,
                                             const ExpressionInput& input, bool ignores_failures);

}  // namespace keelson::sandbox
