#include "src/sandbox/admission/expressions.hpp"

#include <algorithm>

#include "keelson/detail/base/text.hpp"
#include "src/sandbox/admission/patch_types.hpp"
#include "src/sandbox/admission/resource_match.hpp"
#include "src/sandbox/admission/review.hpp"
#include "src/sandbox/custom/rule_values.hpp"
#include "src/sandbox/requests/texts.hpp"

namespace keelson::sandbox {

namespace {

using TypeKind = cel::Value::Kind;

// Of one evaluation, and of the conversion of a request's objects into values. A step takes about 50 ns.
constexpr std::size_t kStepsOfExpression = 1'000'000;
constexpr std::size_t kStepsOfConversion = 3'000'000;
constexpr std::string_view kOutOfBudget =
    "validation failed due to running out of cost budget, no further validation rules will be run";

cel::TypePointer letter_type(char letter) {
  switch (letter) {
    case 'b':
      return cel::type_of(TypeKind::kBool);
    case 'i':
      return cel::type_of(TypeKind::kInt);
    case 't':
      return cel::type_of(TypeKind::kTimestamp);
    case 'l':
      return cel::list_type(cel::type_of(TypeKind::kString));
    case 'm':
      return cel::map_type(cel::type_of(TypeKind::kString), cel::type_of(TypeKind::kString));
    case 'e':
      return cel::map_type(cel::type_of(TypeKind::kString), letter_type('l'));
    case 'd':
      return cel::dyn_type();
    default:
      return cel::type_of(TypeKind::kString);
  }
}

struct TypedField {
  const char* name;
  char letter;  // s string, b bool, i int, t time, l list of strings, m map of strings, e map of lists, d dyn
};

cel::Type record(std::string name, std::initializer_list<TypedField> fields) {
  cel::Type type{.kind = TypeKind::kMap, .name = std::move(name), .is_object = true};
  for (const auto& field : fields) type.fields[field.name] = letter_type(field.letter);
  return type;
}

cel::TypePointer shared(cel::Type type) { return std::make_shared<const cel::Type>(std::move(type)); }

cel::TypePointer request_type() {
  static const auto kType = [] {
    const auto kind = shared(record("kubernetes.GroupVersionKind", {{"group", 's'}, {"version", 's'}, {"kind", 's'}}));
    const auto resource =
        shared(record("kubernetes.GroupVersionResource", {{"group", 's'}, {"version", 's'}, {"resource", 's'}}));
    auto type = record("kubernetes.AdmissionRequest", {{"subResource", 's'},
                                                       {"requestSubResource", 's'},
                                                       {"name", 's'},
                                                       {"namespace", 's'},
                                                       {"operation", 's'},
                                                       {"dryRun", 'b'},
                                                       {"options", 'd'}});
    type.fields["kind"] = type.fields["requestKind"] = kind;
    type.fields["resource"] = type.fields["requestResource"] = resource;
    type.fields["userInfo"] =
        shared(record("kubernetes.UserInfo", {{"username", 's'}, {"uid", 's'}, {"groups", 'l'}, {"extra", 'e'}}));
    return shared(std::move(type));
  }();
  return kType;
}

cel::TypePointer namespace_type() {
  static const auto kType = [] {
    auto type = record("kubernetes.Namespace", {});
    type.fields["metadata"] = shared(record("kubernetes.NamespaceMetadata", {{"name", 's'},
                                                                             {"generateName", 's'},
                                                                             {"namespace", 's'},
                                                                             {"labels", 'm'},
                                                                             {"annotations", 'm'},
                                                                             {"UID", 's'},
                                                                             {"creationTimestamp", 't'},
                                                                             {"deletionGracePeriodSeconds", 'i'},
                                                                             {"deletionTimestamp", 't'},
                                                                             {"generation", 'i'},
                                                                             {"resourceVersion", 's'},
                                                                             {"finalizers", 'l'}}));
    type.fields["spec"] = shared(record("kubernetes.NamespaceSpec", {{"finalizers", 'l'}}));
    auto status = record("kubernetes.NamespaceStatus", {{"phase", 's'}});
    status.fields["conditions"] = cel::list_type(shared(
        record("kubernetes.NamespaceCondition",
               {{"status", 's'}, {"type", 's'}, {"lastTransitionTime", 't'}, {"message", 's'}, {"reason", 's'}})));
    type.fields["status"] = shared(std::move(status));
    return shared(std::move(type));
  }();
  return kType;
}

std::vector<cel::Variable> variables_of(const ExpressionScope& scope) {
  std::vector<cel::Variable> variables{{"object", cel::dyn_type()},
                                       {"oldObject", cel::dyn_type()},
                                       {"request", request_type()},
                                       {"namespaceObject", namespace_type()}};
  if (scope.has_params) variables.push_back({"params", cel::dyn_type()});
  if (scope.variables) variables.push_back({"variables", scope.variables});
  return variables;
}

bool is_patch_item(const cel::Type& list) {
  return !list.element || list.element->is_dyn() || list.element->kind == TypeKind::kMap;
}

// The reason why the value cannot have the expected type; empty if it can.
std::string type_error(const cel::Type& type, ExpressionResult expected, bool has_patch_types) {
  auto must_be = [&type](const std::string& name) { return "must evaluate to " + name + " but got " + type.text(); };
  switch (expected) {
    case ExpressionResult::kBool:
      return type.kind == TypeKind::kBool ? "" : must_be("bool");
    case ExpressionResult::kString:
      return type.kind == TypeKind::kString ? "" : must_be("string");
    case ExpressionResult::kStringOrNull: {
      const bool is_fine = type.kind == TypeKind::kString || type.kind == TypeKind::kNull;
      return is_fine ? "" : must_be("one of [string null_type]");
    }
    case ExpressionResult::kPatch: {
      const bool is_fine = type.kind == TypeKind::kList ? is_patch_item(type) : type.is_dyn() && has_patch_types;
      return is_fine ? "" : must_be("list(JSONPatch)");
    }
    case ExpressionResult::kObject: {
      const bool is_fine = has_patch_types && (type.is_dyn() || type.kind == TypeKind::kMap);
      return is_fine ? "" : must_be("Object");
    }
    case ExpressionResult::kAny:
      break;
  }
  return "";
}

// The fields of a Namespace that expressions can read.
Tree visible_namespace(const Tree& whole) {
  auto shown = Tree::object();
  constexpr const char* kShown[] = {
      "name",        "generateName",      "namespace",         "labels",
      "annotations", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds",
      "generation",  "resourceVersion",   "finalizers",        "uid"};
  shown["metadata"] = Tree::object();
  for (const char* name : kShown) {
    if (const Tree* value = whole.at({"metadata", name})) shown["metadata"][name] = *value;
  }
  for (const char* name : {"spec", "status"}) shown[name] = whole.copy_at({name});
  return shown;
}

Tree namespace_of(const World& world, const Attributes& attributes) {
  if (attributes.ns.empty() || is_about_namespace(attributes)) return {};
  const auto* entry = world.store.find(*world.kinds.find(kube::namespaces()), kube::Key("", attributes.ns));
  return entry != nullptr ? visible_namespace(entry->stored().tree) : Tree();
}

Tree in_api_version(Tree object, const kube::Resource& resource, const std::string& version) {
  const bool is_other = !object.is_null() && version != resource.version;
  if (is_other) object["apiVersion"] = resource.group + "/" + version;
  return object;
}

}  // namespace

CompiledExpression compile_expression(std::string text, const ExpressionScope& scope, ExpressionResult expected) {
  const bool is_patch = expected == ExpressionResult::kPatch || expected == ExpressionResult::kObject;
  const auto patch = is_patch ? with_patch_types(text) : PatchExpression{text, false, ""};
  CompiledExpression compiled;
  compiled.text = std::move(text);
  auto program = cel::Program::compile(patch.text, variables_of(scope));
  if (!program) {
    compiled.error = "compilation failed: " + program.error().text;
    return compiled;
  }
  compiled.error = type_error(*program->result(), expected, patch.has_types);
  if (!compiled.error.empty()) return compiled;
  compiled.program = *std::move(program);
  compiled.type_mismatch = patch.mismatch;
  return compiled;
}

ExpressionInput::ExpressionInput(const World& world, const Attributes& attributes, const std::string& version)
    : steps_(kStepsOfConversion) {
  object_ = rule_value(in_api_version(attributes.object, attributes.resource, version), nullptr, false, steps_);
  old_object_ = rule_value(in_api_version(attributes.old_object, attributes.resource, version), nullptr, false, steps_);
  auto request = review_request(attributes);
  if (version != attributes.resource.version) {
    request["resource"]["version"] = version;
    if (attributes.object_kind == attributes.resource) request["kind"]["version"] = version;
  }
  request_ = rule_value(request, nullptr, false, steps_);
  namespace_ = rule_value(namespace_of(world, attributes), nullptr, false, steps_);
}

void ExpressionInput::set_params(const Tree& params) {
  auto steps = kStepsOfConversion;
  params_ = rule_value(params, nullptr, false, steps);
  has_large_params_ = steps == 0;
}

void ExpressionInput::set_variables(const std::vector<PolicyVariable>& variables, ExpressionBudget& budget) {
  cel::MapValue known;
  for (const auto& variable : variables) {
    variables_ = cel::Value::of_map(known);
    const auto name = cel::Value::of_string(variable.name);
    if (known.find(name) != nullptr) continue;
    const auto& expression = variable.expression;
    if (!expression.program) {
      known.add(name, cel::Value::error("composited variable \"" + variable.name +
                                        "\" fails to compile: " + expression.error));
      continue;
    }
    auto value = run(*expression.program, budget);
    if (value.is_error()) {
      value = cel::Value::error("composited variable \"" + variable.name + "\" fails to evaluate: " + value.text());
    }
    known.add(name, std::move(value));
  }
  variables_ = cel::Value::of_map(std::move(known));
}

cel::Value ExpressionInput::evaluate(const CompiledExpression& expression, ExpressionBudget& budget) const {
  if (steps_ == 0 || has_large_params_ || budget.left == 0) return cel::Value::error(std::string(kOutOfBudget));
  if (!expression.program) return cel::Value::error("compilation error: " + expression.error);
  auto value = run(*expression.program, budget);
  if (budget.left == 0) return cel::Value::error(std::string(kOutOfBudget));
  if (!value.is_error()) return value;
  return cel::Value::error("expression '" + expression.text + "' resulted in error: " + value.text());
}

cel::Value ExpressionInput::run(const cel::Program& program, ExpressionBudget& budget) const {
  const auto most = std::min(budget.left, kStepsOfExpression);
  auto left = most;
  auto value = program.evaluate({{"object", object_},
                                 {"oldObject", old_object_},
                                 {"request", request_},
                                 {"namespaceObject", namespace_},
                                 {"params", params_},
                                 {"variables", variables_}},
                                left);
  budget.left -= most - left;
  return value;
}

bool is_out_of_budget(const cel::Value& value) { return value.is_error() && value.text() == kOutOfBudget; }

std::vector<MatchCondition> match_conditions(const Tree& described, bool has_params) {
  std::vector<MatchCondition> conditions;
  const ExpressionScope scope{has_params, nullptr};
  for (const auto& condition : described.items_at({"matchConditions"})) {
    auto text = std::string(base::trim(condition.text_at({"expression"})));
    conditions.push_back(
        {condition.text_at({"name"}), compile_expression(std::move(text), scope, ExpressionResult::kBool)});
  }
  return conditions;
}

ConditionsMet meets_conditions(const std::vector<MatchCondition>& conditions, const ExpressionInput& input,
                               bool ignores_failures) {
  // A quarter of the budget of a policy, as in kube-apiserver.
  ExpressionBudget budget{.left = 2'500'000};
  std::vector<std::string> errors;
  for (const auto& condition : conditions) {
    const auto value = input.evaluate(condition.expression, budget);
    if (value.is_false()) return {.all = false, .error = ""};
    if (value.is_error()) errors.push_back(value.text());
    if (is_out_of_budget(value)) {
      errors = {value.text()};
      break;
    }
  }
  if (errors.empty()) return {};
  if (ignores_failures) return {.all = false, .error = ""};
  return {.all = false, .error = joined_errors(errors)};
}

}  // namespace keelson::sandbox
