#include "src/cel/evaluator.hpp"

#include <algorithm>

#include "src/cel/cost.hpp"
#include "src/cel/operators.hpp"

namespace keelson::cel {

namespace {

using ExpressionKind = Expression::Kind;
using ValueKind = Value::Kind;

class Evaluator {
 public:
  Evaluator(const std::vector<Binding>& bindings, Budget& budget) : bindings_(bindings), budget_(budget) {}

  Value run(const Expression& node);

 private:
  class Turn;

  Value name(const Expression& node) const;
  Value select(const Value& target, const Expression& node) const;
  Value has(const Value& target, const Expression& node) const;
  Value call(const Expression& node);
  Value list(const Expression& node);
  Value map(const Expression& node);
  Value all_of(const Expression& node, bool is_and);
  Value quantify(const Expression& node);
  Value collect(const Expression& node);
  Value optional_member(const Expression& node);
  Value optional_map(const Expression& node);
  Value range(const Expression& node);
  Value insert(const Expression& node, const Value& key, Value value, Values& items, MapValue& entries);
  static bool add(const Expression& part, Value value, Values& items);

  const std::vector<Binding>& bindings_;
  Budget& budget_;
  std::vector<std::pair<std::string_view, Value>> locals_;
};

Value Evaluator::name(const Expression& node) const {
  for (auto local = locals_.rbegin(); local != locals_.rend(); ++local) {
    if (local->first == node.name) return local->second;
  }
  for (const auto& binding : bindings_) {
    if (binding.name == node.name) return binding.value;
  }
  return node.value.is(ValueKind::kType) ? node.value : Value::error("no such attribute(s): " + node.name);
}

Value Evaluator::select(const Value& target, const Expression& node) const {
  if (target.is(ValueKind::kOptional)) {
    if (target.items().empty()) return Value::none();
    const auto& inner = target.items()[0];
    const auto* found = inner.is(ValueKind::kMap) ? inner.map().find(node.name) : nullptr;
    return found != nullptr ? Value::some(*found) : Value::none();
  }
  if (!target.is(ValueKind::kMap)) return no_such_overload();
  const auto* found = target.map().find(node.name);
  return found != nullptr ? *found : Value::error("no such key: " + node.name);
}

Value Evaluator::has(const Value& target, const Expression& node) const {
  if (target.is(ValueKind::kOptional)) return Value::of_bool(!select(target, node).items().empty());
  if (!target.is(ValueKind::kMap)) return no_such_overload();
  return Value::of_bool(target.map().find(node.name) != nullptr);
}

// Whether the values have the types of a signature, as far as these are simple types.
bool fits_values(const Signature& signature, const Values& values) {
  std::string_view letters = signature.arguments;
  for (const auto& value : values) {
    if (letters.empty()) return false;
    const auto kind = kind_of_letter(letters.front());
    if (kind && !value.is(*kind)) return false;
    letters.remove_prefix(length_of_type(letters));
  }
  return letters.empty();
}

Value Evaluator::call(const Expression& node) {
  Values arguments;
  arguments.reserve(node.parts.size());
  for (const auto& part : node.parts) {
    arguments.push_back(run(part));
    if (arguments.back().is_error()) return std::move(arguments.back());
  }
  for (const auto* signature : node.overloads) {
    if (!fits_values(*signature, arguments)) continue;
    if (!budget_.spend(arguments.empty() ? 1 : 1 + arguments[0].text().size() / 8)) return {};
    auto result = signature->call != nullptr ? signature->call(arguments, budget_)
                                             : apply_operator(node.name, arguments, budget_);
    if (!budget_.charge(actual_cost(signature->cost, arguments, result, budget_))) return {};
    return result;
  }
  return no_such_overload();
}

// Adds a value that may be optional; false if it is an error.
bool Evaluator::add(const Expression& part, Value value, Values& items) {
  if (value.is_error()) {
    items = {std::move(value)};
    return false;
  }
  if (!part.is_optional) {
    items.push_back(std::move(value));
  } else if (!value.items().empty()) {
    items.push_back(value.items()[0]);
  }
  return true;
}

Value Evaluator::list(const Expression& node) {
  Values items;
  for (const auto& part : node.parts) {
    if (!add(part, run(part), items)) return std::move(items[0]);
  }
  if (!is_literal(node) && !budget_.charge(kListCost)) return {};
  return Value::of_list(std::move(items));
}

Value Evaluator::map(const Expression& node) {
  // The API server makes a literal before the evaluation, which accepts a key twice.
  const bool is_made_before = is_literal(node);
  MapValue made;
  for (std::size_t i = 0; i + 1 < node.parts.size(); i += 2) {
    auto key = run(node.parts[i]);
    if (key.is_error()) return key;
    Values values;
    if (!add(node.parts[i + 1], run(node.parts[i + 1]), values)) return std::move(values[0]);
    if (values.empty()) continue;
    if (!pay_for_key(key, budget_)) return {};
    if (!is_made_before && made.find(key) != nullptr) return Value::error("Failed with repeated key");
    made.put(std::move(key), std::move(values[0]));
  }
  if (!is_made_before && !budget_.charge(kMapCost)) return {};
  return Value::of_map(std::move(made));
}

// An operand that decides the result hides the errors of others, as in cel-go.
Value Evaluator::all_of(const Expression& node, bool is_and) {
  Value failed;
  for (const auto& part : node.parts) {
    auto value = run(part);
    if (budget_.is_exhausted()) return {};
    if (is_and ? value.is_false() : value.is_true()) return value;
    if (value.is_error()) {
      if (!failed.is_error()) failed = std::move(value);
    } else if (!value.is(ValueKind::kBool)) {
      failed = no_such_overload();
    }
  }
  return failed.is_error() ? failed : Value::of_bool(is_and);
}

// A place in the range of a macro: its variables are set until it is destroyed.
class Evaluator::Turn {
 public:
  Turn(Evaluator& evaluator, const Expression& node, const Value& range, std::size_t at)
      : evaluator_(evaluator), outer_(evaluator.locals_.size()) {
    const bool is_list = range.is(ValueKind::kList);
    key_ = is_list ? Value::of_int(static_cast<std::int64_t>(at)) : range.map().entries()[at].first;
    item_ = is_list ? range.items()[at] : range.map().entries()[at].second;
    const bool has_two = !node.second_variable.empty();
    is_key_ = !is_list && !has_two;
    evaluator.locals_.emplace_back(node.variable, has_two ? key_ : value());
    if (has_two) evaluator.locals_.emplace_back(node.second_variable, item_);
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn() { evaluator_.locals_.resize(outer_); }

  [[nodiscard]] const Value& key() const { return key_; }
  // That of a single variable.
  [[nodiscard]] const Value& value() const { return is_key_ ? key_ : item_; }

 private:
  Evaluator& evaluator_;
  std::size_t outer_;
  Value key_;
  Value item_;
  bool is_key_ = false;
};

// The range of a macro, or an error.
Value Evaluator::range(const Expression& node) {
  auto value = run(node.parts[0]);
  const bool fits = value.is_error() || value.is(ValueKind::kList) || value.is(ValueKind::kMap);
  return fits ? value : no_such_overload();
}

Value Evaluator::quantify(const Expression& node) {
  auto values = range(node);
  if (values.is_error()) return values;
  const bool is_all = node.kind == ExpressionKind::kAll;
  const bool is_one = node.kind == ExpressionKind::kExistsOne;
  Value failed;
  std::size_t count = 0;
  for (std::size_t i = 0; i < size_of_value(values); ++i) {
    Value value;
    {
      const Turn turn(*this, node, values, i);
      value = run(node.parts[1]);
    }
    if (!budget_.charge(step_cost(node, value.is_true())) || budget_.is_exhausted()) return {};
    if (value.is_error() || !value.is(ValueKind::kBool)) {
      if (!failed.is_error()) failed = value.is_error() ? value : no_such_overload();
      if (is_one) return failed;
      continue;
    }
    if (is_all && value.is_false()) return value;
    if (node.kind == ExpressionKind::kExists && value.is_true()) return value;
    if (value.is_true()) ++count;
  }
  if (failed.is_error()) return failed;
  return Value::of_bool(is_all || (is_one && count == 1));
}

// The macros whose value is a list or a map.
Value Evaluator::collect(const Expression& node) {
  auto values = range(node);
  if (values.is_error()) return values;
  const bool has_condition = node.kind == ExpressionKind::kFilter || node.parts.size() > 2;
  Values items;
  MapValue entries;
  for (std::size_t i = 0; i < size_of_value(values); ++i) {
    const Turn turn(*this, node, values, i);
    auto kept = has_condition ? run(node.parts[1]) : Value::of_bool(true);
    if (kept.is_error()) return kept;
    if (!kept.is(ValueKind::kBool)) return no_such_overload();
    auto value = !kept.is_true() || node.kind == ExpressionKind::kFilter ? turn.value() : run(node.parts.back());
    if (value.is_error()) return value;
    if (!budget_.charge(step_cost(node, kept.is_true())) || budget_.is_exhausted()) return {};
    if (!kept.is_true()) continue;
    auto failed = insert(node, turn.key(), std::move(value), items, entries);
    if (failed.is_error()) return failed;
  }
  const bool is_map = node.kind == ExpressionKind::kTransformMap || node.kind == ExpressionKind::kTransformEntry;
  if (is_map) return Value::of_map(std::move(entries));
  auto list = Value::of_list(std::move(items));
  if (node.kind != ExpressionKind::kSortBy) return list;
  if (!budget_.charge(actual_cost(CallCost::kSortBy, {values, list}, values, budget_))) return {};
  return sorted_by_keys({values, list}, budget_);
}

// Adds the result of a turn; an error for a key that exists.
Value Evaluator::insert(const Expression& node, const Value& key, Value value, Values& items, MapValue& entries) {
  if (node.kind == ExpressionKind::kTransformMap) {
    if (!pay_for_key(key, budget_)) return {};
    entries.add(key, std::move(value));
    return {};
  }
  if (node.kind != ExpressionKind::kTransformEntry) {
    items.push_back(std::move(value));
    return {};
  }
  if (!value.is(ValueKind::kMap)) return no_such_overload();
  for (const auto& [name, member] : value.map().entries()) {
    if (!pay_for_key(name, budget_)) return {};
    if (entries.find(name) != nullptr) return Value::error("insert failed: key " + key_shown(name) + " already exists");
    entries.add(name, member);
  }
  return {};
}

Value Evaluator::optional_member(const Expression& node) {
  auto target = run(node.parts[0]);
  if (target.is_error()) return target;
  if (!budget_.charge(1)) return {};
  return optional_at(target, Value::of_string(node.name), budget_);
}

Value Evaluator::optional_map(const Expression& node) {
  auto target = run(node.parts[0]);
  if (target.is_error()) return target;
  if (!target.is(ValueKind::kOptional)) return no_such_overload();
  if (!budget_.charge(1)) return {};
  if (target.items().empty()) return target;
  locals_.emplace_back(node.variable, target.items()[0]);
  auto value = run(node.parts[1]);
  locals_.pop_back();
  if (!budget_.charge(2)) return {};
  if (node.kind == ExpressionKind::kOptionalFlatMap) {
    return value.is_error() || value.is(ValueKind::kOptional) ? value : no_such_overload();
  }
  return value.is_error() ? value : Value::some(std::move(value));
}

Value Evaluator::run(const Expression& node) {
  if (!budget_.spend(1 + node.name.size() / 64)) return Value::error(std::string(Program::kOutOfSteps));
  switch (node.kind) {
    case ExpressionKind::kLiteral:
      return node.value;
    case ExpressionKind::kName:
      if (!budget_.charge(1)) return {};
      return name(node);
    case ExpressionKind::kSelect:
    case ExpressionKind::kHas: {
      auto target = run(node.parts[0]);
      if (target.is_error()) return target;
      if (node.kind == ExpressionKind::kSelect && !budget_.charge(1)) return {};
      return node.kind == ExpressionKind::kSelect ? select(target, node) : has(target, node);
    }
    case ExpressionKind::kCall:
      return call(node);
    case ExpressionKind::kList:
      return list(node);
    case ExpressionKind::kMap:
      return map(node);
    case ExpressionKind::kAnd:
    case ExpressionKind::kOr:
      return all_of(node, node.kind == ExpressionKind::kAnd);
    case ExpressionKind::kChoice: {
      auto condition = run(node.parts[0]);
      if (condition.is_error()) return condition;
      if (!condition.is(ValueKind::kBool)) return no_such_overload();
      return run(node.parts[condition.is_true() ? 1 : 2]);
    }
    case ExpressionKind::kAll:
    case ExpressionKind::kExists:
    case ExpressionKind::kExistsOne:
      return quantify(node);
    case ExpressionKind::kFilter:
    case ExpressionKind::kTransform:
    case ExpressionKind::kTransformMap:
    case ExpressionKind::kTransformEntry:
    case ExpressionKind::kSortBy:
      return collect(node);
    case ExpressionKind::kOptionalSelect:
      return optional_member(node);
    case ExpressionKind::kOptionalMap:
    case ExpressionKind::kOptionalFlatMap:
      return optional_map(node);
  }
  return {};
}

}  // namespace

Value evaluate(const Expression& expression, const std::vector<Binding>& bindings, Budget& budget) {
  auto value = Evaluator(bindings, budget).run(expression);
  return budget.is_exhausted() ? Value::error(std::string(Program::kOutOfSteps)) : value;
}

}  // namespace keelson::cel
