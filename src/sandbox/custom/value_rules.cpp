#include "src/sandbox/custom/value_rules.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <functional>
#include <limits>

#include "keelson/detail/base/text.hpp"
#include "src/sandbox/custom/internal_form.hpp"
#include "src/sandbox/custom/rule_values.hpp"
#include "src/sandbox/custom/schema_tree.hpp"

namespace keelson::sandbox {

namespace {

constexpr const char* kKeyword = "x-kubernetes-validations";
// Of the patterns in the rules of a version, in instructions: 0.2 s.
constexpr std::size_t kRulePatterns = 10 * cel::Pattern::kMostSize;

std::string trimmed_at(const Tree& rule, std::string_view name) {
  return std::string(base::trim(rule.text_at({name})));
}

std::vector<cel::Variable> rule_variables(const cel::TypePointer& type, bool has_optional_old) {
  return {{"self", type}, {"oldSelf", has_optional_old ? cel::optional_type(type) : type}};
}

std::string compile_error(const Error& error, const char* compiled, const char* instantiated) {
  const bool is_instance = error.kind == Error::Kind::kMalformed;
  return (is_instance ? std::string(instantiated) + "instantiation" : compiled + std::string("compilation")) +
         " failed: " + error.text;
}

// The reason why a rule cannot be used; empty if it can.
std::string rule_error(const Result<cel::Program>& program) {
  if (!program) return compile_error(program.error(), "", "program ");
  const bool is_bool = program->result()->kind == cel::Value::Kind::kBool;
  return is_bool ? "" : "cel expression must evaluate to a bool";
}

std::string message_error(const Result<cel::Program>& program) {
  if (!program) return compile_error(program.error(), "messageExpression ", "messageExpression ");
  const bool is_text = program->result()->kind == cel::Value::Kind::kString;
  return is_text ? "" : "messageExpression must evaluate to a string";
}

std::optional<ValueRule> compiled_rule(const Tree& tree, const cel::TypePointer& type) {
  bool has_optional_old = tree.is_true_at({"optionalOldSelf"});
  std::size_t no_patterns = 0;  // they were checked with the definition
  auto program = cel::Program::compile(tree.text_at({"rule"}), rule_variables(type, has_optional_old), no_patterns);
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
    auto text = cel::Program::compile(message, rule_variables(type, has_optional_old), no_patterns);
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

// The limits of the API server for the estimated costs of a rule and of all rules of a version.
constexpr std::uint64_t kMostRuleCost = 10'000'000;
constexpr std::uint64_t kMostTotalCost = 100'000'000;
constexpr std::size_t kMostExpensiveRules = 4;

std::uint64_t limited_product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<std::uint64_t>::max() : product;
}

std::string cost_error(const char* what, std::uint64_t cost, std::uint64_t limit) {
  const auto factor = static_cast<double>(cost) / static_cast<double>(limit);
  std::array<char, 32> text{};
  const auto precision = factor < 1.5 ? 6 : 1;
  const auto written =
      std::to_chars(text.data(), text.data() + text.size(), std::min(factor, 1e9), std::chars_format::fixed, precision);
  const auto shown = factor > 100 ? "more than 100" : std::string(text.data(), written.ptr);
  return std::string(what) + " exceeds budget by factor of " + shown +
         "x (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and "
         "strings "
         "are declared)";
}

// How often values of a schema may occur in an object; nullopt if there is no limit.
using Repetitions = std::optional<std::uint64_t>;

// That of the parts of a schema.
Repetitions part_repetitions(const ValueSchema& schema, const Repetitions& outer) {
  const bool is_map = schema.type == "object" && schema.others != nullptr;
  if (!is_map && schema.type != "array") return outer;
  const auto& limit = is_map ? schema.max_properties : schema.max_items;
  if (!outer || !limit) return std::nullopt;
  return limited_product(*outer, static_cast<std::uint64_t>(std::max<std::int64_t>(*limit, 0)));
}

class CustomRuleCheck {
 public:
  CustomRuleCheck(std::size_t budget, const SchemaSet& skipped, FieldErrors& errors)
      : budget_(budget), skipped_(skipped), errors_(errors) {}

  // Where a schema is: `within` is the list or set below which values have no old value; empty if they have one.
  struct Place {
    std::string path;
    bool is_resource = false;
    std::string within = {};
    Repetitions repetitions = {};
  };

  void check(const Tree& openapi, const ValueSchema& schema, const Place& place) {
    const auto& path = place.path;
    const auto repetitions = part_repetitions(schema, place.repetitions);
    for (const auto& [name, property] : openapi.members_at({"properties"})) {
      const auto* part = schema.find(name);
      check(property, *part, {key_path(path + ".properties", name), part->is_embedded, place.within, repetitions});
    }
    if (const Tree* items = object_at(openapi, "items")) {
      const auto& inner = place.within.empty() && schema.list_type != "map" ? path : place.within;
      check(*items, *schema.items, {path + ".items", schema.items->is_embedded, inner, repetitions});
    }
    if (const Tree* others = object_at(openapi, "additionalProperties")) {
      check(*others, *schema.others,
            {path + ".additionalProperties", schema.others->is_embedded, place.within, repetitions});
    }
    const auto& rules = openapi.items_at({kKeyword});
    if (rules.empty() || skipped_.contains(&openapi)) return;
    auto type = rule_type(schema, place.is_resource);
    if (!type) type = cel::dyn_type();
    const auto times = place.repetitions.value_or(most_repetitions(*type));
    for (std::size_t i = 0; i < rules.size() && !errors_.is_full(); ++i) {
      const auto at = index_path(path + "." + kKeyword, i);
      check_rule(rules[i], type, {at, false, place.within, times});
    }
  }

  // After all rules: their total.
  void check_total(const std::string& path) {
    if (total_ <= kMostTotalCost) return;
    std::ranges::stable_sort(expensive_, std::greater<>(), &std::pair<std::uint64_t, std::string>::first);
    if (expensive_.size() > kMostExpensiveRules) expensive_.resize(kMostExpensiveRules);
    for (const auto& [cost, field] : expensive_) {
      errors_.forbidden(field,
                        "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema");
    }
    errors_.forbidden(path, cost_error("x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema",
                                       total_, kMostTotalCost));
  }

 private:
  void check_cost(const char* what, const std::string& field, std::uint64_t cost) {
    if (cost > kMostRuleCost) errors_.forbidden(field, cost_error(what, cost, kMostRuleCost));
    if (__builtin_add_overflow(total_, cost, &total_)) total_ = std::numeric_limits<std::uint64_t>::max();
    if (cost >= kMostTotalCost / 100) expensive_.emplace_back(cost, field);
  }

  void check_rule(const Tree& rule, const cel::TypePointer& type, const Place& place) {
    const auto& path = place.path;
    auto text = rule.text_at({"rule"});
    auto message = rule.text_at({"messageExpression"});
    if (text.size() + message.size() > budget_) {
      budget_ = 0;
      return errors_.invalid(path + ".rule", Tree(text.substr(0, 100)),
                             "the rules of the definition are too long in total");
    }
    budget_ -= text.size() + message.size();
    if (trimmed_at(rule, "rule").empty()) return;
    const auto variables = rule_variables(type, rule.is_true_at({"optionalOldSelf"}));
    auto program = cel::Program::compile(text, variables, pattern_budget_);
    auto wrong = rule_error(program);
    if (!wrong.empty()) {
      errors_.add({FieldReason::kInvalid, path + ".rule", internal_rule(rule), wrong});
    } else {
      check_cost("estimated rule cost", path + ".rule", limited_product(program->most_cost(), *place.repetitions));
      if (!message.empty()) check_message(message, rule, variables, path);
    }
    const bool uses_old = program && program->uses("oldSelf");
    if (uses_old && !place.within.empty()) {
      errors_.invalid(path + ".rule", Tree(text),
                      "oldSelf cannot be used on the uncorrelatable portion of the schema within " + place.within);
    }
    if (!uses_old && rule.find("optionalOldSelf") != nullptr) {
      errors_.invalid(path + ".optionalOldSelf", *rule.find("optionalOldSelf"),
                      "may not be set if oldSelf is not used in rule");
    }
  }

  void check_message(const std::string& message, const Tree& rule, const std::vector<cel::Variable>& variables,
                     const std::string& path) {
    auto compiled = cel::Program::compile(message, variables, pattern_budget_);
    auto why = message_error(compiled);
    if (!why.empty()) {
      return errors_.add({FieldReason::kInvalid, path + ".messageExpression", internal_rule(rule), why});
    }
    check_cost("estimated messageExpression cost", path + ".messageExpression", compiled->most_cost());
  }

  std::size_t budget_;
  std::size_t pattern_budget_ = kRulePatterns;
  const SchemaSet& skipped_;
  FieldErrors& errors_;
  std::uint64_t total_ = 0;
  std::vector<std::pair<std::uint64_t, std::string>> expensive_;
};

}  // namespace

void attach_rules(ValueSchema& schema, const Tree& openapi) { attach_to(schema, openapi, true); }

void check_rules(const Tree& openapi, const std::string& path, std::size_t budget, const SchemaSet& skipped,
                 FieldErrors& errors) {
  auto schema = compile_value_schema(openapi);
  CustomRuleCheck check(budget, skipped, errors);
  check.check(openapi, *schema, {.path = path, .is_resource = true, .repetitions = 1});
  check.check_total(path);
}

}  // namespace keelson::sandbox
