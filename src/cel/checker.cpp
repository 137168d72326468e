#include "src/cel/checker.hpp"

#include <algorithm>
#include <set>

#include "src/cel/functions.hpp"
#include "src/cel/overloads.hpp"
#include "src/cel/parser.hpp"

namespace keelson::cel {

namespace {

using Kind = Value::Kind;
using NodeKind = Expression::Kind;

constexpr std::size_t kMostErrors = 20;

class Checker {
 public:
  Checker(const std::vector<Variable>& variables, std::string_view text) : scope_(variables), text_(text) {}

  TypePointer check(Expression& node);
  [[nodiscard]] const std::vector<std::string>& errors() const { return errors_; }

 private:
  TypePointer name(Expression& node);
  TypePointer field(const Expression& node, const TypePointer& target);
  TypePointer call(Expression& node);
  TypePointer macro(Expression& node);
  TypePointer join(const TypePointer& one, const TypePointer& other) const;
  void want_bool(const Expression& node, const TypePointer& type);
  void fail(const Expression& node, const std::string& why) {
    if (errors_.size() < kMostErrors) errors_.push_back(error_at(text_, node.offset, why));
  }

  std::vector<Variable> scope_;
  std::string_view text_;
  std::vector<std::string> errors_;
};

TypePointer Checker::name(Expression& node) {
  for (auto one = scope_.rbegin(); one != scope_.rend(); ++one) {
    if (one->name == node.name) return one->type;
  }
  static const std::set<std::string_view> types{"int",   "uint", "double", "bool",      "string",
                                                "bytes", "list", "map",    "null_type", "type"};
  if (types.contains(node.name)) {
    node.value = Value::of_type(node.name);
    return type_of(Kind::kType);
  }
  fail(node, "undeclared reference to '" + node.name + "' (in container '')");
  return dyn_type();
}

TypePointer Checker::field(const Expression& node, const TypePointer& target) {
  if (target->is_dyn()) return dyn_type();
  if (target->kind == Kind::kOptional && target->element) return optional_type(field(node, target->element));
  if (target->kind != Kind::kMap) {
    fail(node, "type '" + target->text() + "' does not support field selection");
    return dyn_type();
  }
  if (!target->is_object) return target->element ? target->element : dyn_type();
  auto found = target->fields.find(node.name);
  if (found != target->fields.end()) return found->second;
  fail(node, "undefined field '" + node.name + "'");
  return dyn_type();
}

TypePointer Checker::join(const TypePointer& one, const TypePointer& other) const {
  return are_assignable(*one, *other) && !one->is_dyn() ? one : dyn_type();
}

void Checker::want_bool(const Expression& node, const TypePointer& type) {
  if (type->is_dyn() || type->kind == Kind::kBool) return;
  fail(node, "expected type 'bool' but found '" + type->text() + "'");
}

TypePointer Checker::call(Expression& node) {
  std::vector<TypePointer> arguments;
  for (auto& part : node.parts) arguments.push_back(check(part));
  bool is_known = false;
  auto result = result_of_call(node.name, node.has_target, arguments, is_known);
  if (result) return result;
  if (!is_known) {
    fail(node, "undeclared reference to '" + node.name + "' (in container '')" +
                   (is_missing_function(node.name) ? ": this function is not implemented" : ""));
    return dyn_type();
  }
  std::string list;
  for (std::size_t i = node.has_target ? 1 : 0; i < arguments.size(); ++i) {
    list += (list.empty() ? "" : ", ") + arguments[i]->text();
  }
  fail(node, "found no matching overload for '" + node.name + "' applied to '" +
                 (node.has_target ? arguments[0]->text() + "." : "") + "(" + list + ")'");
  return dyn_type();
}

TypePointer Checker::macro(Expression& node) {
  auto range = check(node.parts[0]);
  auto inner = range->element ? range->element : dyn_type();
  auto key = range->kind == Kind::kMap ? (range->key ? range->key : dyn_type()) : type_of(Kind::kInt);
  bool is_range = range->is_dyn() || range->kind == Kind::kList || (range->kind == Kind::kMap && !range->is_object) ||
                  (node.kind == NodeKind::kOptionalMap && range->kind == Kind::kOptional);
  if (!is_range) {
    fail(node.parts[0], "expression of type '" + range->text() +
                            "' cannot be range of a comprehension (must be list, map, or dynamic)");
  }
  auto outer = scope_.size();
  if (node.second_variable.empty()) {
    scope_.push_back({node.variable, range->kind == Kind::kMap ? key : inner});
  } else {
    scope_.push_back({node.variable, key});
    scope_.push_back({node.second_variable, inner});
  }
  auto first = check(node.parts[1]);
  auto last = node.parts.size() > 2 ? check(node.parts[2]) : first;
  scope_.resize(outer);
  switch (node.kind) {
    case NodeKind::kFilter:
      want_bool(node.parts[1], first);
      return list_type(range->kind == Kind::kMap ? key : inner);
    case NodeKind::kTransform:
      if (node.parts.size() > 2) want_bool(node.parts[1], first);
      return list_type(last);
    case NodeKind::kOptionalMap:
      return optional_type(first);
    default:
      want_bool(node.parts[1], first);
      return type_of(Kind::kBool);
  }
}

TypePointer Checker::check(Expression& node) {
  switch (node.kind) {
    case NodeKind::kLiteral:
      return type_of(node.value.kind());
    case NodeKind::kName:
      return name(node);
    case NodeKind::kSelect:
      return field(node, check(node.parts[0]));
    case NodeKind::kHas:
      static_cast<void>(field(node, check(node.parts[0])));
      return type_of(Kind::kBool);
    case NodeKind::kOptionalSelect: {
      auto found = field(node, check(node.parts[0]));
      return found->kind == Kind::kOptional ? found : optional_type(found);
    }
    case NodeKind::kOptionalIndex: {
      auto container = check(node.parts[0]);
      static_cast<void>(check(node.parts[1]));
      if (container->kind == Kind::kOptional && container->element) container = container->element;
      return optional_type(container->element ? container->element : dyn_type());
    }
    case NodeKind::kCall:
      return call(node);
    case NodeKind::kList: {
      TypePointer inner;
      for (auto& part : node.parts) {
        auto type = check(part);
        if (inner && !are_assignable(*inner, *type)) {
          fail(part, "expected type '" + inner->text() + "' but found '" + type->text() + "'");
        }
        inner = inner ? join(inner, type) : type;
      }
      return list_type(inner ? inner : dyn_type());
    }
    case NodeKind::kMap: {
      TypePointer key;
      TypePointer value;
      for (std::size_t i = 0; i + 1 < node.parts.size(); i += 2) {
        auto key_type = check(node.parts[i]);
        auto value_type = check(node.parts[i + 1]);
        key = key ? join(key, key_type) : key_type;
        value = value ? join(value, value_type) : value_type;
      }
      return map_type(key ? key : dyn_type(), value ? value : dyn_type());
    }
    case NodeKind::kAnd:
    case NodeKind::kOr:
      for (auto& part : node.parts) want_bool(part, check(part));
      return type_of(Kind::kBool);
    case NodeKind::kChoice: {
      want_bool(node.parts[0], check(node.parts[0]));
      auto yes = check(node.parts[1]);
      auto no = check(node.parts[2]);
      if (are_assignable(*yes, *no)) return join(yes, no);
      fail(node, "found no matching overload for '_?_:_' applied to '(bool, " + yes->text() + ", " + no->text() + ")'");
      return dyn_type();
    }
    default:
      return macro(node);
  }
}

}  // namespace

Result<TypePointer> check_expression(Expression& expression, const std::vector<Variable>& variables,
                                     std::string_view text) {
  Checker checker(variables, text);
  auto type = checker.check(expression);
  if (checker.errors().empty()) return type;
  std::string all;
  for (const auto& error : checker.errors()) all += (all.empty() ? "" : "\n") + error;
  return invalid_error(std::move(all));
}

}  // namespace keelson::cel
