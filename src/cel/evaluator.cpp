#include "src/cel/evaluator.hpp"

#include <algorithm>

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

Value Evaluator::call(const Expression& node) {
  Values arguments;
  arguments.reserve(node.parts.size());
  for (const auto& part : node.parts) {
    arguments.push_back(run(part));
    if (arguments.back().is_error()) return std::move(arguments.back());
  }
  bool is_operator = node.name[0] == '_' || node.name[0] == '@' || node.name[0] == '!' || node.name[0] == '-';
  if (is_operator) return apply_operator(node.name, arguments, budget_);
  for (const auto* signature : signatures_of(node.name)) {
    const std::string_view wanted = signature->arguments;
    bool fits = signature->has_target == node.has_target && wanted.size() == arguments.size() &&
                std::equal(wanted.begin(), wanted.end(), arguments.begin(),
                           [](char letter, const Value& value) { return fits_letter(value, letter); });
    if (fits) {
      if (!budget_.spend(arguments.empty() ? 1 : 1 + arguments[0].text().size() / 8)) return {};
      return signature->call(arguments, budget_);
    }
  }
  return no_such_overload();
}

Value Evaluator::list(const Expression& node) {
  Values items;
  for (const auto& part : node.parts) {
    items.push_back(run(part));
    if (items.back().is_error()) return std::move(items.back());
  }
  return Value::of_list(std::move(items));
}

Value Evaluator::map(const Expression& node) {
  MapValue made;
  for (std::size_t i = 0; i + 1 < node.parts.size(); i += 2) {
    auto key = run(node.parts[i]);
    if (key.is_error()) return key;
    auto value = run(node.parts[i + 1]);
    if (value.is_error()) return value;
    if (!pay_for_key(key, budget_)) return {};
    if (made.find(key) != nullptr) return Value::error("Failed with repeated key");
    made.add(std::move(key), std::move(value));
  }
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

Value Evaluator::quantify(const Expression& node) {
  auto range = run(node.parts[0]);
  if (range.is_error()) return range;
  if (!range.is(ValueKind::kList) && !range.is(ValueKind::kMap)) return no_such_overload();
  bool is_all = node.kind == ExpressionKind::kAll;
  bool has_two = !node.second_variable.empty();
  Value failed;
  std::size_t count = 0;
  const auto size = range.is(ValueKind::kList) ? range.items().size() : range.map().entries().size();
  for (std::size_t i = 0; i < size; ++i) {
    const auto& first = range.is(ValueKind::kList) ? range.items()[i] : range.map().entries()[i].first;
    auto outer = locals_.size();
    if (!has_two) locals_.emplace_back(node.variable, first);
    if (has_two) {
      bool is_list = range.is(ValueKind::kList);
      locals_.emplace_back(node.variable, is_list ? Value::of_int(static_cast<std::int64_t>(i)) : first);
      locals_.emplace_back(node.second_variable, is_list ? first : range.map().entries()[i].second);
    }
    auto value = run(node.parts[1]);
    locals_.resize(outer);
    if (budget_.is_exhausted()) return {};
    if (value.is_error() || !value.is(ValueKind::kBool)) {
      if (!failed.is_error()) failed = value.is_error() ? value : no_such_overload();
      if (node.kind == ExpressionKind::kExistsOne) return failed;
      continue;
    }
    if (is_all && value.is_false()) return value;
    if (node.kind == ExpressionKind::kExists && value.is_true()) return value;
    if (value.is_true()) ++count;
  }
  if (failed.is_error()) return failed;
  return Value::of_bool(is_all || (node.kind == ExpressionKind::kExistsOne && count == 1));
}

Value Evaluator::collect(const Expression& node) {
  auto range = run(node.parts[0]);
  if (range.is_error()) return range;
  if (!range.is(ValueKind::kList) && !range.is(ValueKind::kMap)) return no_such_overload();
  const bool is_list = range.is(ValueKind::kList);
  const auto size = is_list ? range.items().size() : range.map().entries().size();
  Values made;
  for (std::size_t i = 0; i < size; ++i) {
    const auto& item = is_list ? range.items()[i] : range.map().entries()[i].first;
    locals_.emplace_back(node.variable, item);
    bool has_condition = node.kind == ExpressionKind::kFilter || node.parts.size() > 2;
    auto kept = has_condition ? run(node.parts[1]) : Value::of_bool(true);
    auto value = item;
    if (kept.is_true() && node.kind == ExpressionKind::kTransform) value = run(node.parts.back());
    locals_.pop_back();
    if (budget_.is_exhausted()) return {};
    if (kept.is_error()) return kept;
    if (value.is_error()) return value;
    if (kept.is_true()) made.push_back(std::move(value));
  }
  return Value::of_list(std::move(made));
}

Value Evaluator::optional_member(const Expression& node) {
  auto target = run(node.parts[0]);
  if (target.is_error()) return target;
  if (target.is(ValueKind::kOptional)) {
    if (target.items().empty()) return target;
    target = Value(target.items()[0]);
  }
  auto index = node.kind == ExpressionKind::kOptionalSelect ? Value::of_string(node.name) : run(node.parts[1]);
  if (index.is_error()) return index;
  auto found = value_at_index(target, index, budget_);
  return found.is_error() ? Value::none() : Value::some(std::move(found));
}

Value Evaluator::optional_map(const Expression& node) {
  auto target = run(node.parts[0]);
  if (target.is_error()) return target;
  if (!target.is(ValueKind::kOptional)) return no_such_overload();
  if (target.items().empty()) return target;
  locals_.emplace_back(node.variable, target.items()[0]);
  auto value = run(node.parts[1]);
  locals_.pop_back();
  return value.is_error() ? value : Value::some(std::move(value));
}

Value Evaluator::run(const Expression& node) {
  if (!budget_.spend(1 + node.name.size() / 64)) return Value::error(std::string(Program::kOutOfSteps));
  switch (node.kind) {
    case ExpressionKind::kLiteral:
      return node.value;
    case ExpressionKind::kName:
      return name(node);
    case ExpressionKind::kSelect:
    case ExpressionKind::kHas: {
      auto target = run(node.parts[0]);
      if (target.is_error()) return target;
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
      return collect(node);
    case ExpressionKind::kOptionalSelect:
    case ExpressionKind::kOptionalIndex:
      return optional_member(node);
    case ExpressionKind::kOptionalMap:
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
