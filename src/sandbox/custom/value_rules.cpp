#include "src/sandbox/custom/value_rules.hpp"

#include <algorithm>

#include "keelson/detail/base/text.hpp"
#include "src/sandbox/custom/rule_values.hpp"
#include "src/sandbox/custom/schema_tree.hpp"

namespace keelson::sandbox {

namespace {

constexpr const char* kKeyword = "x-kubernetes-validations";

std::string trimmed_at(const Tree& rule, std::string_view name) {
  return std::string(base::trim(rule.text_at({name})));
}

std::vector<cel::Variable> rule_variables(const cel::TypePointer& type, bool has_optional_old) {
  return {{"self", type}, {"oldSelf", has_optional_old ? cel::optional_type(type) : type}};
}

// The reason why a rule cannot be used; empty if it can.
std::string rule_error(const Result<cel::Program>& program) {
  if (!program) return "compilation failed: " + program.error().text;
  const bool is_bool = program->result()->is_dyn() || program->result()->kind == cel::Value::Kind::kBool;
  return is_bool ? "" : "cel expression must evaluate to a bool";
}

std::string message_error(const Result<cel::Program>& program) {
  if (!program) return "messageExpression compilation failed: " + program.error().text;
  const bool is_text = program->result()->is_dyn() || program->result()->kind == cel::Value::Kind::kString;
  return is_text ? "" : "messageExpression must evaluate to a string";
}

std::optional<ValueRule> compiled_rule(const Tree& tree, const cel::TypePointer& type) {
  bool has_optional_old = tree.is_true_at({"optionalOldSelf"});
  auto program = cel::Program::compile(tree.text_at({"rule"}), rule_variables(type, has_optional_old));
  if (!rule_error(program).empty()) return std::nullopt;
  ValueRule rule{.rule = trimmed_at(tree, "rule"),
                 .message = trimmed_at(tree, "message"),
                 .reason = kube::field_reason(tree.text_at({"reason"})).value_or(FieldReason::kInvalid),
                 .field = tree.text_at({"fieldPath"}),
                 .has_optional_old = has_optional_old,
                 .uses_old = program->uses("oldSelf"),
                 .program = *program,
                 .message_program = std::nullopt};
  if (rule.field.starts_with('.')) rule.field.erase(0, 1);
  auto message = tree.text_at({"messageExpression"});
  if (!message.empty()) {
    auto text = cel::Program::compile(message, rule_variables(type, has_optional_old));
    if (message_error(text).empty()) rule.message_program = *text;
  }
  return rule;
}

void attach_to(ValueSchema& schema, const Tree& openapi, bool is_resource) {
  const auto& rules = openapi.items_at({kKeyword});
  if (!rules.empty()) {
    auto type = rule_type(schema, is_resource);
    auto made = std::make_shared<ValueRules>();
    for (const auto& rule : rules) {
      if (auto compiled = type ? compiled_rule(rule, type) : std::nullopt) made->rules.push_back(std::move(*compiled));
    }
    if (!made->rules.empty()) schema.rules = made;
  }
  schema.has_rules = schema.rules != nullptr;
  auto attach_part = [&schema](ValueSchema* part, const Tree* tree) {
    if (part == nullptr || tree == nullptr) return;
    attach_to(*part, *tree, part->is_embedded);
    schema.has_rules = schema.has_rules || part->has_rules;
  };
  for (auto& [name, property] : schema.properties) attach_part(property.get(), openapi.at({"properties", name}));
  attach_part(schema.items.get(), openapi.find("items"));
  attach_part(schema.others.get(), openapi.find("additionalProperties"));
}

// Whether the path, ".spec.color" or ".tags['a.b']", refers to a field that the schema declares.
bool is_field_path(std::string_view path, const Tree* schema) {
  while (!path.empty() && schema != nullptr) {
    const bool is_quoted = path.starts_with("['");
    if (!is_quoted && !path.starts_with('.')) return false;
    auto begin = is_quoted ? std::size_t{2} : std::size_t{1};
    auto end = is_quoted ? path.find("']", begin) : std::min(path.find_first_of(".[", begin), path.size());
    if (end == std::string_view::npos || end == begin) return false;
    auto name = path.substr(begin, end - begin);
    schema = schema->members_at({"properties"}).empty() ? object_at(*schema, "additionalProperties")
                                                        : schema->at({"properties", name});
    path.remove_prefix(end + (is_quoted ? 2 : 0));
  }
  return schema != nullptr;
}

class RuleCheck {
 public:
  RuleCheck(std::size_t budget, FieldErrors& errors) : budget_(budget), errors_(errors) {}

  // `within`: the list or set below which values have no old value; empty if they have one.
  void check(const Tree& openapi, const ValueSchema& schema, const std::string& path, bool is_resource,
             const std::string& within);

 private:
  void check_rule(const Tree& rule, const cel::TypePointer& type, const std::string& path, const std::string& within);
  void check_field_path(const Tree& rule, const Tree& openapi, const std::string& path);
  void check_texts(const Tree& rule, const std::string& path);
  [[nodiscard]] static Tree shown(const Tree& rule);

  std::size_t budget_;
  FieldErrors& errors_;
};

// The text that Go prints for the server's internal type.
Tree RuleCheck::shown(const Tree& rule) {
  auto json_at = [&rule](const char* name, const char* otherwise) {
    const Tree* value = rule.find(name);
    return value != nullptr ? value->text() : std::string(otherwise);
  };
  return Tree::raw("{\"Rule\":" + json_at("rule", "\"\"") + ",\"Message\":" + json_at("message", "\"\"") +
                   ",\"MessageExpression\":" + json_at("messageExpression", "\"\"") +
                   ",\"Reason\":" + json_at("reason", "null") + ",\"FieldPath\":" + json_at("fieldPath", "\"\"") +
                   ",\"OptionalOldSelf\":" + json_at("optionalOldSelf", "null") + "}");
}

void RuleCheck::check_texts(const Tree& rule, const std::string& path) {
  auto has_lines = [](const std::string& text) { return text.find_first_of("\n\r") != std::string::npos; };
  auto message = rule.text_at({"message"});
  auto reason = rule.text_at({"reason"});
  if (trimmed_at(rule, "rule").empty()) {
    errors_.required(path + ".rule", "rule is not specified");
  } else if (!message.empty() && trimmed_at(rule, "message").empty()) {
    errors_.invalid(path + ".message", Tree(message), "must be non-empty if specified");
  } else if (has_lines(trimmed_at(rule, "message"))) {
    errors_.invalid(path + ".message", Tree(message), "must not contain line breaks");
  } else if (has_lines(trimmed_at(rule, "rule")) && message.empty()) {
    errors_.required(path + ".message", "message must be specified if rule contains line breaks");
  }
  bool is_known =
      reason.empty() || kube::field_reason(reason).value_or(FieldReason::kTypeInvalid) <= FieldReason::kDuplicate;
  if (!is_known) {
    errors_.unsupported(path + ".reason", Tree(reason),
                        R"("FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired")");
  }
}

void RuleCheck::check_rule(const Tree& rule, const cel::TypePointer& type, const std::string& path,
                           const std::string& within) {
  constexpr const char* kHint =
      "; keelson-sandbox implements a part of CEL: start it with --ignore-cel to accept the definition and to ignore "
      "its rules";
  auto with_hint = [](const std::string& why) {
    return why.find("this function is not implemented") == std::string::npos ? why : why + kHint;
  };
  auto text = rule.text_at({"rule"});
  auto message = rule.text_at({"messageExpression"});
  if (text.size() + message.size() > budget_) {
    budget_ = 0;
    return errors_.invalid(path + ".rule", Tree(text.substr(0, 100)),
                           "the rules of the definition are too long in total");
  }
  budget_ -= text.size() + message.size();
  check_texts(rule, path);
  if (trimmed_at(rule, "rule").empty()) return;
  bool has_optional_old = rule.is_true_at({"optionalOldSelf"});
  auto program = cel::Program::compile(text, rule_variables(type, has_optional_old));
  auto wrong = rule_error(program);
  if (!wrong.empty()) errors_.invalid(path + ".rule", shown(rule), with_hint(wrong));
  if (!message.empty()) {
    auto compiled = cel::Program::compile(message, rule_variables(type, has_optional_old));
    auto why = message_error(compiled);
    if (!why.empty()) errors_.invalid(path + ".messageExpression", shown(rule), with_hint(why));
  }
  const bool uses_old = program && program->uses("oldSelf");
  if (uses_old && !within.empty()) {
    errors_.invalid(path + ".rule", Tree(text),
                    "oldSelf cannot be used on the uncorrelatable portion of the schema within " + within);
  }
  if (!uses_old && program && rule.find("optionalOldSelf") != nullptr) {
    errors_.invalid(path + ".optionalOldSelf", *rule.find("optionalOldSelf"),
                    "may not be set if oldSelf is not used in rule");
  }
}

void RuleCheck::check_field_path(const Tree& rule, const Tree& openapi, const std::string& path) {
  auto field = rule.text_at({"fieldPath"});
  if (field.empty() || is_field_path(field, &openapi)) return;
  errors_.invalid(path + ".fieldPath", Tree(field), "must be a valid path");
}

void RuleCheck::check(const Tree& openapi, const ValueSchema& schema, const std::string& path, bool is_resource,
                      const std::string& within) {
  for (const auto& [name, property] : openapi.members_at({"properties"})) {
    const auto* part = schema.find(name);
    check(property, *part, key_path(path + ".properties", name), part->is_embedded, within);
  }
  if (const Tree* items = object_at(openapi, "items")) {
    auto inner = within.empty() && schema.list_type != "map" ? path : within;
    check(*items, *schema.items, path + ".items", schema.items->is_embedded, inner);
  }
  if (const Tree* others = object_at(openapi, "additionalProperties")) {
    check(*others, *schema.others, path + ".additionalProperties", schema.others->is_embedded, within);
  }
  const auto& rules = openapi.items_at({kKeyword});
  if (rules.empty()) return;
  auto type = rule_type(schema, is_resource);
  for (std::size_t i = 0; i < rules.size() && !errors_.is_full(); ++i) {
    check_field_path(rules[i], openapi, index_path(path + "." + kKeyword, i));
    check_rule(rules[i], type ? type : cel::dyn_type(), index_path(path + "." + kKeyword, i), within);
  }
}

}  // namespace

void attach_rules(ValueSchema& schema, const Tree& openapi) { attach_to(schema, openapi, true); }

void check_rules(const Tree& openapi, const std::string& path, std::size_t budget, FieldErrors& errors) {
  auto schema = compile_value_schema(openapi);
  RuleCheck(budget, errors).check(openapi, *schema, path, true, "");
}

}  // namespace keelson::sandbox
