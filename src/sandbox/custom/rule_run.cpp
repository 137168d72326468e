#include <algorithm>
#include <map>
#include <optional>

#include "keelson/detail/base/text.hpp"
#include "src/sandbox/custom/rule_values.hpp"
#include "src/sandbox/custom/value_check.hpp"
#include "src/sandbox/custom/value_parts.hpp"
#include "src/sandbox/custom/value_rules.hpp"
#include "src/sandbox/custom/value_scalars.hpp"

namespace keelson::sandbox {

namespace {

// The limits of the API server: of the cost of a rule, and of all rules of a write.
constexpr std::size_t kStepsOfRule = 1'000'000;
constexpr std::size_t kStepsOfWrite = 10'000'000;
// The values that are converted for the rules of a write, which costs nothing there: about 0.3 s.
constexpr std::size_t kMostValues = 3'000'000;
constexpr std::size_t kMessageBytes = std::size_t{5} << 10;

// A value and its former value.
struct RuleScope {
  const Tree& value;
  const Tree* before = nullptr;  // null: there is no former value to compare with
  const RuleScope* outer = nullptr;
  mutable std::optional<bool> compared = {};

  // Whether the value is unchanged; if it has no former value, whether the enclosing value is unchanged.
  [[nodiscard]] bool is_unchanged() const {
    if (before != nullptr) return is_same();
    return outer != nullptr && outer->before != nullptr && outer->is_same();
  }

  // Cached, because each item of a list may need it.
  [[nodiscard]] bool is_same() const {
    if (!compared) compared = *before == value;
    return *compared;
  }
};

std::string field_of(const std::string& path) { return path.empty() ? "<nil>" : path; }

// "object": the text that the API server prints instead of the value.
Tree shown_type(const ValueSchema& schema) {
  return Tree(schema.type == "integer,string" ? std::string() : schema.type);
}

class RuleRun {
 public:
  explicit RuleRun(std::vector<FieldError>& list) : errors_(list) {}

  void check(const ValueSchema& schema, const RuleScope& scope, const std::string& path, bool is_resource) {
    if (scope.value.is_null() || is_over_ || errors_.is_full()) return;
    if (schema.rules) check_rules_of(schema, scope, path, is_resource);
    if (is_over_) return;
    if (scope.value.is_array()) {
      check_items(schema, scope, path);
    } else if (scope.value.is_object()) {
      check_members(schema, scope, path);
    }
  }

 private:
  void check_rules_of(const ValueSchema& schema, const RuleScope& scope, const std::string& path, bool is_resource) {
    const auto self = rule_value(scope.value, &schema, is_resource, values_);
    bool needs_old = std::ranges::any_of(schema.rules->rules, [](const ValueRule& rule) { return rule.uses_old; });
    cel::Value old;
    const bool has_old = needs_old && scope.before != nullptr && !scope.before->is_null();
    if (has_old) old = rule_value(*scope.before, &schema, is_resource, values_);
    if (values_ == 0) return stop_for_cost(schema, path);
    const auto optional_old = has_old ? cel::Value::some(old) : cel::Value::none();
    for (const auto& rule : schema.rules->rules) {
      if (rule.uses_old && !has_old && !rule.has_optional_old) continue;
      const std::vector<cel::Binding> bindings{{"self", self}, {"oldSelf", rule.has_optional_old ? optional_old : old}};
      if (!check_rule(rule, schema, scope, path, bindings)) {
        is_over_ = true;
        return;
      }
    }
  }

  void stop_for_cost(const ValueSchema& schema, const std::string& path) {
    is_over_ = true;
    errors_.invalid(field_of(path), shown_type(schema),
                    "validation failed due to running out of cost budget, no further validation rules will be run");
  }

  // False if the check must stop.
  bool check_rule(const ValueRule& rule, const ValueSchema& schema, const RuleScope& scope, const std::string& path,
                  const std::vector<cel::Binding>& bindings) {
    auto steps = std::min(steps_, kStepsOfRule);
    const bool has_rest = steps == kStepsOfRule;
    auto left = steps;
    auto value = rule.program.evaluate(bindings, left);
    steps_ -= steps - left;
    if (value.is_true()) return true;
    if (!value.is_error()) {
      report(rule, schema, scope, path, bindings);
      return true;
    }
    const auto& name = rule.message.empty() ? rule.rule : rule.message;
    const auto& why = value.text();
    if (why.starts_with(cel::Program::kOutOfSteps)) {
      errors_.invalid(field_of(path), shown_type(schema),
                      has_rest
                          ? "'" + why +
                                "': no further validation rules will be run due to call cost exceeds limit "
                                "for rule: " +
                                name
                          : "validation failed due to running out of cost budget, no further validation rules will "
                            "be run");
      return false;
    }
    if (why.starts_with("no such overload")) {
      errors_.invalid(field_of(path), shown_type(schema),
                      "'" + why +
                          "': call arguments did not match a supported operator, function or macro signature for "
                          "rule: " +
                          name);
    } else {
      errors_.invalid(field_of(path), shown_type(schema), why + " evaluating rule: " + name);
    }
    return true;
  }

  void report(const ValueRule& rule, const ValueSchema& schema, const RuleScope& scope, const std::string& path,
              const std::vector<cel::Binding>& bindings) {
    if (!rule.uses_old && scope.is_unchanged()) return;
    auto field = path;
    if (!rule.field.empty()) field += (field.empty() ? "" : ".") + rule.field;
    auto message = message_of(rule, bindings);
    const bool is_large = schema.type == "object" || schema.type == "array" || schema.type.empty();
    bool has_value = !is_large && (rule.reason == FieldReason::kInvalid || rule.reason == FieldReason::kDuplicate);
    errors_.add({rule.reason, field_of(field), has_value ? printed_value(scope.value) : "",
                 rule.reason == FieldReason::kDuplicate ? "" : message});
  }

  std::string message_of(const ValueRule& rule, const std::vector<cel::Binding>& bindings) {
    if (rule.message_program) {
      auto steps = std::min(steps_, kStepsOfRule);
      auto left = steps;
      auto value = rule.message_program->evaluate(bindings, left);
      steps_ -= steps - left;
      auto text = std::string(base::trim(value.text()));
      const bool is_fine = value.is(cel::Value::Kind::kString) && !text.empty() && text.size() <= kMessageBytes &&
                           text.find('\n') == std::string::npos;
      if (is_fine) return text;
    }
    return rule.message.empty() ? "failed rule: " + rule.rule : rule.message;
  }

  void check_members(const ValueSchema& schema, const RuleScope& scope, const std::string& path) {
    std::map<std::string_view, const Tree*> old;
    if (scope.before != nullptr) {
      for (const auto& [name, member] : scope.before->members()) old.emplace(name, &member);
    }
    for (const auto& [name, member] : scope.value.members()) {
      const auto* part = schema.find(name);
      if (part == nullptr || !part->has_rules) continue;
      auto found = old.find(name);
      const RuleScope inner{member, found != old.end() ? found->second : nullptr, &scope};
      check(*part, inner, member_path(path, name, schema), part->is_embedded);
      if (is_over_) return;
    }
  }

  void check_items(const ValueSchema& schema, const RuleScope& scope, const std::string& path) {
    if (!schema.items || !schema.items->has_rules) return;
    std::map<std::string, const Tree*> old;
    const bool has_keys = schema.list_type == "map" && scope.before != nullptr;
    if (has_keys) {
      for (const auto& item : scope.before->items()) old.emplace(entry_key(item, schema), &item);
    }
    const auto& items = scope.value.items();
    for (std::size_t i = 0; i < items.size() && !is_over_; ++i) {
      auto found = has_keys ? old.find(entry_key(items[i], schema)) : old.end();
      const RuleScope inner{items[i], found != old.end() ? found->second : nullptr, &scope};
      check(*schema.items, inner, index_path(path, i), schema.items->is_embedded);
    }
  }

  FieldErrors errors_;
  std::size_t steps_ = kStepsOfWrite;
  std::size_t values_ = kMostValues;
  bool is_over_ = false;
};

}  // namespace

void check_against_rules(const ValueSchema& schema, const Tree* before, const Tree& after,
                         std::vector<FieldError>& errors) {
  if (!schema.has_rules) return;
  bool is_blocked = std::ranges::any_of(errors, [](const FieldError& error) {
    return error.reason == FieldReason::kNotSupported || error.reason == FieldReason::kRequired ||
           error.reason == FieldReason::kTooLong || error.reason == FieldReason::kTooMany ||
           error.reason == FieldReason::kTypeInvalid;
  });
  if (is_blocked) {
    errors.emplace_back(FieldReason::kInvalid, "<nil>", "null",
                        "some validation rules were not checked because the object was invalid; "
                        "correct the existing errors to complete validation");
    return;
  }
  RuleRun(errors).check(schema, {after, before, nullptr}, "", true);
}

}  // namespace keelson::sandbox
