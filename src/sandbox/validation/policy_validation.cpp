#include "src/sandbox/validation/policy_validation.hpp"

#include <algorithm>
#include <set>

#include "keelson/detail/base/text.hpp"
#include "keelson/detail/schema/literal.hpp"
#include "src/sandbox/admission/policies.hpp"
#include "src/sandbox/custom/schema_tree.hpp"
#include "src/sandbox/requests/texts.hpp"
#include "src/sandbox/validation/text_formats.hpp"

namespace keelson::sandbox {

namespace {

constexpr const char* kNoContent = "validations or auditAnnotations must contain at least one item";

bool is_blank(const std::string& text) { return base::trim(text).empty(); }

bool is_cel_identifier(const std::string& name) {
  constexpr std::string_view kReserved =
      "true false null in as break const continue else for function if import let loop package namespace return var "
      "void while";
  auto is_part = [](char c) {
    return base::is_digit(c) || c == '_' || (base::to_lower(c) >= 'a' && base::to_lower(c) <= 'z');
  };
  return !name.empty() && !base::is_digit(name[0]) && std::ranges::all_of(name, is_part) && !has_word(kReserved, name);
}

void check_compiled(const CompiledExpression& compiled, const std::string& path, FieldErrors& errors) {
  if (!compiled.error.empty()) errors.invalid(path, compiled.text, compiled.error);
}

void check_condition(const Tree& condition, bool has_params, const std::string& path, std::set<std::string>& names,
                     FieldErrors& errors) {
  const auto text = std::string(base::trim(condition.text_at({"expression"})));
  const auto name = condition.text_at({"name"});
  if (text.empty()) {
    errors.required(path + ".expression");
  } else {
    check_compiled(compile_expression(text, {has_params, nullptr}, ExpressionResult::kBool), path + ".expression",
                   errors);
  }
  if (name.empty()) return errors.required(path + ".name");
  if (!kube::detail::is_qualified_name(name)) {
    errors.invalid(path + ".name", name,
                   "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
                   "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is "
                   "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')");
  }
  if (!names.insert(name).second) errors.duplicate(path + ".name", name);
}

void check_conditions(const Tree& described, bool has_params, const std::string& path, FieldErrors& errors) {
  constexpr std::size_t kMostConditions = 64;
  const auto& conditions = described.items_at({"matchConditions"});
  if (conditions.size() > kMostConditions) {
    errors.add(FieldError::too_many(path, conditions.size(), static_cast<std::int64_t>(kMostConditions)));
  }
  std::set<std::string> names;
  for (std::size_t i = 0; i < conditions.size() && !errors.is_full(); ++i) {
    check_condition(conditions[i], has_params, index_path(path, i), names, errors);
  }
}

// The expressions of the spec of a policy. `variables` have types that depend on those before them.
class PolicyCheckRun {
 public:
  // `name` is that of the policy.
  PolicyCheckRun(std::string name, const Tree& spec, FieldErrors& errors)
      : name_(std::move(name)),
        spec_(spec),
        errors_(errors),
        has_params_(spec.find("paramKind") != nullptr),
        scope_{has_params_, nullptr} {}

  void check_validating() {
    check_conditions(spec_, has_params_, "spec.matchConditions", errors_);
    check_variables();
    const auto& validations = spec_.items_at({"validations"});
    const auto& annotations = spec_.items_at({"auditAnnotations"});
    if (validations.empty() && annotations.empty()) {
      errors_.required("spec.validations", kNoContent);
      errors_.required("spec.auditAnnotations", kNoContent);
    }
    for (std::size_t i = 0; i < validations.size(); ++i) {
      check_validation(validations[i], index_path("spec.validations", i));
    }
    for (std::size_t i = 0; i < annotations.size(); ++i) {
      check_annotation(annotations[i], index_path("spec.auditAnnotations", i));
    }
  }

  void check_mutating() {
    check_conditions(spec_, has_params_, "spec.matchConditions", errors_);
    check_variables();
    const auto& mutations = spec_.items_at({"mutations"});
    if (mutations.empty()) errors_.required("spec.mutations", "mutations must contain at least one item");
    for (std::size_t i = 0; i < mutations.size(); ++i) check_mutation(mutations[i], index_path("spec.mutations", i));
  }

 private:
  void check_variables() {
    const auto count = spec_.items_at({"variables"}).size();
    if (count > limits::kSandboxPolicyVariables) {
      errors_.invalid("spec.variables", std::to_string(count),
                      "must have at most " + std::to_string(limits::kSandboxPolicyVariables) + " items");
    }
    const auto compiled = policy_variables(spec_, scope_);
    for (std::size_t i = 0; i < compiled.size(); ++i) {
      const auto path = index_path("spec.variables", i);
      const auto& [name, expression] = compiled[i];
      if (is_blank(name)) {
        errors_.required(path + ".name", "name is not specified");
      } else if (!is_cel_identifier(name)) {
        errors_.invalid(path + ".name", name, "must be a valid CEL identifier");
      }
      if (is_blank(expression.text)) {
        errors_.required(path + ".expression", "expression is not specified");
      } else {
        check_compiled(expression, path + ".expression", errors_);
      }
    }
  }

  void check_validation(const Tree& validation, const std::string& path) {
    const auto text = validation.text_at({"expression"});
    if (is_blank(text)) {
      errors_.required(path + ".expression", "expression is not specified");
    } else {
      check_compiled(compile_expression(text, scope_, ExpressionResult::kBool), path + ".expression", errors_);
    }
    const auto message_text = validation.text_at({"messageExpression"});
    if (!message_text.empty() && is_blank(message_text)) {
      errors_.invalid(path + ".messageExpression", message_text, "must be non-empty if specified");
    } else if (!message_text.empty()) {
      check_compiled(compile_expression(message_text, scope_, ExpressionResult::kString), path + ".messageExpression",
                     errors_);
    }
    const auto message = validation.text_at({"message"});
    if (!message.empty() && is_blank(message)) {
      errors_.invalid(path + ".message", message, "must be non-empty if specified");
    } else if (base::trim(message).find_first_of("\n\r") != std::string_view::npos) {
      errors_.invalid(path + ".message", message, "must not contain line breaks");
    }
    const auto reason = validation.text_at({"reason"});
    if (!reason.empty() && !has_word("Forbidden Invalid RequestEntityTooLarge", reason)) {
      errors_.unsupported(path + ".reason", reason, R"("Forbidden", "Invalid", "RequestEntityTooLarge")");
    }
  }

  void check_annotation(const Tree& annotation, const std::string& path) {
    const auto key = name_ + "/" + annotation.text_at({"key"});
    for (const auto& why : format_errors("label_key", key)) errors_.invalid(path + ".key", Tree(key), why);
    const auto text = std::string(base::trim(annotation.text_at({"valueExpression"})));
    if (text.empty()) return errors_.required(path + ".valueExpression", "valueExpression is not specified");
    check_compiled(compile_expression(text, scope_, ExpressionResult::kStringOrNull), path + ".valueExpression",
                   errors_);
    if (!keys_.insert(annotation.text_at({"key"})).second) {
      errors_.duplicate(path + ".key", annotation.text_at({"key"}));
    }
  }

  void check_mutation(const Tree& mutation, const std::string& path) {
    const auto type = mutation.text_at({"patchType"});
    if (type.empty()) return errors_.required(path + ".patchType");
    const bool is_patch = type == "JSONPatch";
    if (!is_patch && type != "ApplyConfiguration") {
      return errors_.unsupported(path + ".patchType", type, R"("ApplyConfiguration", "JSONPatch")");
    }
    const char* own = is_patch ? "jsonPatch" : "applyConfiguration";
    const char* other = is_patch ? "applyConfiguration" : "jsonPatch";
    const auto field = path + "." + own;
    if (mutation.find(own) == nullptr) {
      errors_.required(field, "must be specified when patchType is " + type);
    } else if (const auto text = std::string(base::trim(mutation.text_at({own, "expression"}))); text.empty()) {
      errors_.required(field + ".expression");
    } else {
      const auto expected = is_patch ? ExpressionResult::kPatch : ExpressionResult::kObject;
      check_compiled(compile_expression(text, scope_, expected), field + ".expression", errors_);
    }
    if (mutation.find(other) == nullptr) return;
    errors_.invalid(path + "." + other, std::string("{") + other + "}",
                    "must not be specified when patchType is " + type);
  }

  std::string name_;
  const Tree& spec_;
  FieldErrors& errors_;
  bool has_params_;
  ExpressionScope scope_;
  std::set<std::string> keys_;
};

bool is_unchanged(const Spot& at, const char* member) {
  const Tree* value = at.value->find(member);
  const Tree* before = at.before->find(member);
  return value != nullptr && before != nullptr && *value == *before;
}

}  // namespace

void check_match_conditions(RuleCheck& check, const Spot& webhook) {
  if (is_unchanged(webhook, "matchConditions")) return;
  check_conditions(*webhook.value, false, webhook.path() + ".matchConditions", check.errors());
}

void check_validating_policy(RuleCheck& check, const Spot& policy) {
  if (is_unchanged(policy, "spec")) return;
  const auto spec = policy.value->copy_at({"spec"});
  PolicyCheckRun(policy.value->text_at({"metadata", "name"}), spec, check.errors()).check_validating();
}

void check_mutating_policy(RuleCheck& check, const Spot& policy) {
  if (is_unchanged(policy, "spec")) return;
  const auto spec = policy.value->copy_at({"spec"});
  PolicyCheckRun(policy.value->text_at({"metadata", "name"}), spec, check.errors()).check_mutating();
}

}  // namespace keelson::sandbox
