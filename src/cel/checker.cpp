#include "src/cel/checker.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "src/cel/cost.hpp"
#include "src/cel/functions.hpp"
#include "src/cel/overloads.hpp"
#include "src/cel/parser.hpp"
#include "src/cel/text_format.hpp"
#include "src/cel/time_values.hpp"

namespace keelson::cel {

namespace {

using Kind = Value::Kind;
using NodeKind = Expression::Kind;
using PlacedErrors = std::vector<std::pair<std::size_t, std::string>>;

constexpr std::size_t kMostErrors = 20;

class Checker {
 public:
  Checker(const std::vector<Variable>& variables, std::string_view text, std::size_t& pattern_budget)
      : scope_(variables), text_(text), pattern_budget_(pattern_budget) {}

  const TypePointer& check(Expression& node) { return node.type = type_in(node); }
  // Errors in literals count only if the types are correct, as in cel-go.
  [[nodiscard]] std::string errors() {
    auto& found = errors_.empty() ? literal_errors_ : errors_;
    std::ranges::stable_sort(found, {}, &PlacedErrors::value_type::first);
    std::string all;
    for (const auto& [offset, text] : found) all += (all.empty() ? "" : "\n") + text;
    return all;
  }

 private:
  TypePointer type_in(Expression& node);
  TypePointer name(Expression& node);
  TypePointer select(Expression& node);
  TypePointer field(Expression& node, const TypePointer& target);
  TypePointer call(Expression& node);
  TypePointer choice(Expression& node);
  TypePointer list(Expression& node);
  TypePointer map(Expression& node);
  TypePointer macro(Expression& node);
  TypePointer optional_map(Expression& node);
  TypePointer body(Expression& node, const TypePointer& key, const TypePointer& inner);
  TypePointer entry(const Expression& node);
  void want_condition(const Expression& node, const TypePointer& made);
  // The type of the items of a literal.
  struct JoinedType {
    TypePointer first;
    TypePointer common;
    bool is_wrong = false;
  };
  void join(JoinedType& joined, const Expression& part, const TypePointer& type);
  void qualify(Expression& node) const;
  void check_literals(const Expression& node);
  bool is_wrong_pattern(std::string_view text);
  void no_overload(const Expression& node, const std::vector<TypePointer>& arguments);
  void want_bool(const Expression& node, const TypePointer& type);
  void fail(const Expression& node, const std::string& why) { add(errors_, node, why); }
  void add(PlacedErrors& errors, const Expression& node, const std::string& why) const {
    if (errors.size() < kMostErrors) errors.emplace_back(node.offset, error_at(text_, node.offset, why));
  }

  std::vector<Variable> scope_;
  std::string_view text_;
  std::size_t& pattern_budget_;
  PlacedErrors errors_;
  PlacedErrors literal_errors_;
  std::size_t formats_ = 0;  // enclosing calls of format(), whose lists may have items of several types
};

const TypePointer& element_of(const TypePointer& type) {
  static const auto dyn = dyn_type();
  return type->element ? type->element : dyn;
}

// The value of the name of a type.
std::optional<Value> type_value(std::string_view name) {
  static constexpr Kind kNamed[] = {Kind::kNull,      Kind::kBool,  Kind::kInt,      Kind::kUint, Kind::kDouble,
                                    Kind::kString,    Kind::kBytes, Kind::kList,     Kind::kMap,  Kind::kDuration,
                                    Kind::kTimestamp, Kind::kType,  Kind::kOptional, Kind::kIp,   Kind::kCidr};
  for (const auto kind : kNamed) {
    if (name == Value::name_of(kind)) return Value::of_type(std::string(name));
  }
  return std::nullopt;
}

// "a.b.c"; empty for other expressions.
std::string qualified_name(const Expression& node) {
  if (node.kind == NodeKind::kName) return node.name;
  if (node.kind != NodeKind::kSelect) return "";
  auto prefix = qualified_name(node.parts[0]);
  return prefix.empty() ? "" : prefix + "." + node.name;
}

TypePointer Checker::name(Expression& node) {
  for (auto one = scope_.rbegin(); one != scope_.rend(); ++one) {
    if (one->name == node.name) return one->type;
  }
  if (auto type = type_value(node.name)) {
    node.value = std::move(*type);
    return type_of(Kind::kType);
  }
  fail(node, "undeclared reference to '" + node.name + "' (in container '')");
  return dyn_type();
}

TypePointer Checker::select(Expression& node) {
  if (auto type = type_value(qualified_name(node))) {
    node.kind = NodeKind::kName;
    node.name = type->text();
    node.value = std::move(*type);
    node.parts.clear();
    return type_of(Kind::kType);
  }
  return field(node, check(node.parts[0]));
}

TypePointer Checker::field(Expression& node, const TypePointer& target) {
  if (target->is_dyn()) return dyn_type();
  if (target->kind == Kind::kOptional) return optional_type(field(node, element_of(target)));
  if (target->kind != Kind::kMap) {
    fail(node, "type '" + target->text() + "' does not support field selection");
    return dyn_type();
  }
  if (!target->is_object) return element_of(target);
  auto found = target->fields.find(node.name);
  // A reserved word may also be written without its escape.
  if (found == target->fields.end() && target->fields.contains("__" + node.name + "__")) {
    node.name = "__" + node.name + "__";
    found = target->fields.find(node.name);
  }
  if (found != target->fields.end()) return found->second;
  fail(node, "undefined field '" + node.name + "'");
  return dyn_type();
}

void Checker::want_bool(const Expression& node, const TypePointer& type) {
  if (type->is_dyn() || type->kind == Kind::kBool) return;
  fail(node, "expected type 'bool' but found '" + type->text() + "'");
}

// A function with a qualified name, such as optional.of(), has no target.
void Checker::qualify(Expression& node) const {
  if (!node.has_target) return;
  const auto prefix = qualified_name(node.parts[0]);
  if (prefix.empty() || signatures_of(prefix + "." + node.name).empty()) return;
  node.name = prefix + "." + node.name;
  node.has_target = false;
  node.parts.erase(node.parts.begin());
}

void Checker::no_overload(const Expression& node, const std::vector<TypePointer>& arguments) {
  std::string list;
  for (std::size_t i = node.has_target ? 1 : 0; i < arguments.size(); ++i) {
    list += (list.empty() ? "" : ", ") + arguments[i]->text();
  }
  fail(node, "found no matching overload for '" + node.name + "' applied to '" +
                 (node.has_target ? arguments[0]->text() + "." : "") + "(" + list + ")'");
}

TypePointer Checker::call(Expression& node) {
  qualify(node);
  const bool is_format = node.name == "format";
  formats_ += is_format ? 1 : 0;
  std::vector<TypePointer> arguments;
  for (auto& part : node.parts) arguments.push_back(check(part));
  formats_ -= is_format ? 1 : 0;
  if (signatures_of(node.name).empty()) {
    fail(node, "undeclared reference to '" + node.name + "' (in container '')");
    return dyn_type();
  }
  if (auto result = resolve_call(node, arguments)) {
    check_literals(node);
    return result;
  }
  no_overload(node, arguments);
  return dyn_type();
}

// A pattern, a time or a format that is a literal must be valid.
void Checker::check_literals(const Expression& node) {
  const std::size_t first = node.has_target ? 1 : 0;
  if (node.parts.size() <= first) return;
  const auto& literal = node.parts[first];
  if (node.name == "format" && node.parts[0].kind == NodeKind::kLiteral && literal.kind == NodeKind::kList) {
    std::vector<TypePointer> types;
    for (const auto& part : literal.parts) types.push_back(part.type);
    std::optional<std::size_t> at;
    const auto why = static_format_error(node.parts[0].value.text(), types, at);
    if (!why.empty()) add(literal_errors_, at ? literal.parts[*at] : node, why);
    return;
  }
  if (literal.kind != NodeKind::kLiteral) return;
  if (node.name == "timestamp" && literal.value.is(Kind::kInt) && !is_timestamp_second(literal.value.integer())) {
    return add(literal_errors_, literal, "invalid timestamp argument");
  }
  if (!literal.value.is(Kind::kString)) return;
  const auto& text = literal.value.text();
  const bool is_wrong = (node.name == "matches" && is_wrong_pattern(text)) ||
                        (node.name == "duration" && Value::duration_of(text).is_error()) ||
                        (node.name == "timestamp" && Value::timestamp_of(text).is_error());
  if (is_wrong) add(literal_errors_, literal, "invalid " + node.name + " argument");
}

bool Checker::is_wrong_pattern(std::string_view text) {
  if (pattern_budget_ == 0) return false;
  std::size_t cost = 0;
  const bool is_wrong = !Pattern::compile(text, cost);
  pattern_budget_ -= std::min(pattern_budget_, cost);
  return is_wrong;
}

TypePointer Checker::choice(Expression& node) {
  std::vector<TypePointer> arguments;
  for (auto& part : node.parts) arguments.push_back(check(part));
  node.name = "_?_:_";
  if (auto result = resolve_call(node, arguments)) return result;
  no_overload(node, arguments);
  return dyn_type();
}

// Adds the type of an item to that of its list. Items of another type than the first are an error in a literal, except
// in the arguments of format().
void Checker::join(JoinedType& joined, const Expression& part, const TypePointer& type) {
  auto item = part.is_optional && type->kind == Kind::kOptional ? element_of(type) : type;
  if (part.is_optional && item == type && !type->is_dyn()) {
    fail(part, "expected type 'optional_type(" + type->text() + ")' but found '" + type->text() + "'");
  }
  if (!joined.first) {
    joined.first = joined.common = std::move(item);
    return;
  }
  const bool has_parts = item->kind == Kind::kList || item->kind == Kind::kMap || item->kind == Kind::kOptional;
  const bool is_same = joined.first->kind == item->kind &&
                       (has_parts ? are_assignable(*joined.first, *item) : joined.first->text() == item->text());
  if (!is_same && formats_ == 0 && !joined.is_wrong) {
    add(literal_errors_, part, "expected type '" + joined.first->text() + "' but found '" + item->text() + "'");
    joined.is_wrong = true;
  }
  if (!are_assignable(*joined.common, *item)) {
    joined.common = dyn_type();
  } else if (item->is_dyn()) {
    joined.common = std::move(item);
  }
}

TypePointer Checker::list(Expression& node) {
  JoinedType item;
  for (auto& part : node.parts) join(item, part, check(part));
  node.has_only_literals = std::ranges::all_of(node.parts, is_literal);
  return list_type(item.common ? item.common : dyn_type());
}

TypePointer Checker::map(Expression& node) {
  JoinedType key;
  JoinedType value;
  for (std::size_t i = 0; i + 1 < node.parts.size(); i += 2) {
    join(key, node.parts[i], check(node.parts[i]));
    join(value, node.parts[i + 1], check(node.parts[i + 1]));
  }
  node.has_only_literals = std::ranges::all_of(node.parts, is_literal);
  return map_type(key.common ? key.common : dyn_type(), value.common ? value.common : dyn_type());
}

TypePointer Checker::optional_map(Expression& node) {
  auto target = check(node.parts[0]);
  const bool is_flat = node.kind == NodeKind::kOptionalFlatMap;
  if (!target->is_dyn() && target->kind != Kind::kOptional) {
    fail(node, "found no matching overload for 'hasValue' applied to '" + target->text() + ".()'");
    target = dyn_type();
  }
  auto inner = body(node, nullptr, element_of(target));
  if (!is_flat) return optional_type(inner);
  if (inner->is_dyn() || inner->kind == Kind::kOptional) return inner;
  fail(node, "found no matching overload for '_?_:_' applied to '(bool, " + inner->text() + ", optional_type(dyn))'");
  return dyn_type();
}

// The type of the result of a macro's expressions, in the scope of its variables.
TypePointer Checker::body(Expression& node, const TypePointer& key, const TypePointer& inner) {
  const auto outer = scope_.size();
  scope_.push_back({node.variable, key ? key : inner});
  if (!node.second_variable.empty()) scope_.push_back({node.second_variable, inner});
  TypePointer result;
  for (std::size_t i = 1; i < node.parts.size(); ++i) result = check(node.parts[i]);
  scope_.resize(outer);
  return result;
}

// The condition of a macro that chooses what it adds to its value of type `made`.
void Checker::want_condition(const Expression& node, const TypePointer& made) {
  const auto& type = node.parts[1].type;
  if (type->is_dyn() || type->kind == Kind::kBool) return;
  fail(node, "found no matching overload for '_?_:_' applied to '(" + type->text() + ", " + made->text() + ", " +
                 made->text() + ")'");
}

TypePointer Checker::entry(const Expression& node) {
  const auto& type = node.parts.back().type;
  if (type->is_dyn() || (type->kind == Kind::kMap && !type->is_object)) return type;
  fail(node, "found no matching overload for 'cel.@mapInsert' applied to '(map(dyn, dyn), " + type->text() + ")'");
  return dyn_type();
}

TypePointer Checker::macro(Expression& node) {
  const auto range = check(node.parts[0]);
  const bool is_map = range->kind == Kind::kMap;
  const bool is_range = range->is_dyn() || range->kind == Kind::kList || (is_map && !range->is_object);
  if (!is_range) {
    fail(node.parts[0], "expression of type '" + range->text() +
                            "' cannot be range of a comprehension (must be list, map, or dynamic)");
  }
  const auto inner = is_range ? element_of(range) : dyn_type();
  const auto key = is_map ? (range->key ? range->key : dyn_type()) : range->is_dyn() ? dyn_type() : type_of(Kind::kInt);
  const bool has_two = !node.second_variable.empty();
  const auto& item = is_map ? key : inner;
  const auto result = has_two ? body(node, key, inner) : body(node, nullptr, item);
  TypePointer made;
  switch (node.kind) {
    case NodeKind::kFilter:
      made = list_type(item);
      break;
    case NodeKind::kTransform:
      made = list_type(result);
      break;
    case NodeKind::kTransformMap:
      made = map_type(key, result);
      break;
    case NodeKind::kTransformEntry:
      made = entry(node);
      break;
    case NodeKind::kExistsOne:
      want_condition(node, type_of(Kind::kInt));
      return type_of(Kind::kBool);
    case NodeKind::kSortBy: {
      Expression sort{
          .kind = NodeKind::kCall, .has_target = true, .offset = node.offset, .name = "@sortByAssociatedKeys"};
      const std::vector<TypePointer> arguments{range, list_type(result)};
      auto sorted = resolve_call(sort, arguments);
      if (sorted) return sorted;
      no_overload(sort, arguments);
      return dyn_type();
    }
    default:
      want_bool(node.parts[1], result);
      return type_of(Kind::kBool);
  }
  if (node.kind == NodeKind::kFilter || node.parts.size() > 2) want_condition(node, made);
  return made;
}

TypePointer Checker::type_in(Expression& node) {
  switch (node.kind) {
    case NodeKind::kLiteral:
      return type_of(node.value.kind());
    case NodeKind::kName:
      return name(node);
    case NodeKind::kSelect:
      return select(node);
    case NodeKind::kHas:
      static_cast<void>(field(node, check(node.parts[0])));
      return type_of(Kind::kBool);
    case NodeKind::kOptionalSelect: {
      auto found = field(node, check(node.parts[0]));
      return found->kind == Kind::kOptional ? found : optional_type(found);
    }
    case NodeKind::kCall:
      return call(node);
    case NodeKind::kList:
      return list(node);
    case NodeKind::kMap:
      return map(node);
    case NodeKind::kAnd:
    case NodeKind::kOr:
      for (auto& part : node.parts) want_bool(part, check(part));
      return type_of(Kind::kBool);
    case NodeKind::kChoice:
      return choice(node);
    case NodeKind::kOptionalMap:
    case NodeKind::kOptionalFlatMap:
      return optional_map(node);
    default:
      return macro(node);
  }
}

}  // namespace

Result<TypePointer> check_expression(Expression& expression, const std::vector<Variable>& variables,
                                     std::string_view text, std::size_t& pattern_budget) {
  Checker checker(variables, text, pattern_budget);
  auto type = checker.check(expression);
  auto errors = checker.errors();
  if (errors.empty()) return type;
  return invalid_error(std::move(errors));
}

}  // namespace keelson::cel
