// ValidatingAdmissionPolicies and MutatingAdmissionPolicies with their bindings: compiled when one of them changes, and
// evaluated for every write that they match.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "src/sandbox/admission/expressions.hpp"
#include "src/sandbox/admission/resource_match.hpp"
#include "src/sandbox/requests/rejection_or.hpp"

namespace keelson::limits {

// The variables of a policy: each is compiled with the types of those before it.
inline constexpr std::size_t kSandboxPolicyVariables = 500;

}  // namespace keelson::limits

namespace keelson::sandbox {

struct PolicyCheck {
  CompiledExpression expression;
  CompiledExpression message_expression;  // without a text: none
  std::string message;
  std::string reason;
};

struct PolicyAnnotation {
  std::string key;
  CompiledExpression value;
};

struct PolicyMutation {
  CompiledExpression expression;
  bool is_json_patch = false;  // else an apply configuration
};

struct PolicyBinding {
  std::string name;
  ResourceMatch match;
  Tree param_ref;  // null: none
  std::vector<std::string> actions;
};

struct Policy {
  std::string name;
  ResourceMatch match;
  bool ignores_failures = false;
  bool is_reinvoked = false;
  Tree param_kind;  // null: none
  std::vector<MatchCondition> conditions;
  std::vector<PolicyVariable> variables;
  std::vector<PolicyCheck> checks;
  std::vector<PolicyAnnotation> annotations;
  std::vector<PolicyMutation> mutations;
  std::vector<PolicyBinding> bindings;
};

// The variables of the spec of a policy, and the type of `variables` for its other expressions.
[[nodiscard]] std::vector<PolicyVariable> policy_variables(const Tree& spec, ExpressionScope& scope);

class Policies {
 public:
  explicit Policies(World& world) : world_(world) {}

  // Called for each stored change.
  void hear(const Change& change);

  [[nodiscard]] bool has_mutating();
  [[nodiscard]] bool has_validating();
  // Applies the mutations to the object of the attributes. `only_reinvoked`: those of the policies that are called
  // again after webhooks have changed the object.
  [[nodiscard]] RejectionOr<void> mutate(const ServedKind& kind, Attributes& attributes, bool only_reinvoked);
  // Adds the warnings of the validation action Warn.
  [[nodiscard]] RejectionOr<void> validate(const Attributes& attributes, std::vector<std::string>& warnings);

 private:
  void compile();

  World& world_;
  bool is_stale_ = true;
  std::vector<Policy> mutating_;
  std::vector<Policy> validating_;
};

}  // namespace keelson::sandbox
