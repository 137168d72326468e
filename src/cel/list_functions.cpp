#include <algorithm>

#include "src/cel/functions.hpp"
#include "src/cel/operators.hpp"

namespace keelson::cel {

namespace {

using Kind = Value::Kind;

Value is_sorted(const Values& a, Budget& budget) {
  const auto& items = a[0].items();
  for (std::size_t i = 1; i < items.size(); ++i) {
    auto order = compare_values(items[i - 1], items[i], budget);
    if (!order) return no_such_overload();
    if (!budget.spend(1)) return {};
    if (*order > 0) return Value::of_bool(false);
  }
  return Value::of_bool(true);
}

Value sum_of(const Values& a, Budget& budget) {
  const auto& items = a[0].items();
  if (items.empty()) return Value::of_int(0);
  auto total = items[0];
  for (std::size_t i = 1; i < items.size() && !total.is_error() && budget.spend(1); ++i) {
    total = apply_operator("_+_", {total, items[i]}, budget);
  }
  return total;
}

Value extreme(const Values& a, Budget& budget, int wanted, const char* name) {
  const auto& items = a[0].items();
  if (items.empty()) return Value::error(std::string(name) + " called on empty list");
  auto best = items[0];
  for (const auto& item : items) {
    auto order = compare_values(item, best, budget);
    if (!order) return no_such_overload();
    if (!budget.spend(1)) return {};
    if (*order * wanted > 0) best = item;
  }
  return best;
}
Value least(const Values& a, Budget& budget) { return extreme(a, budget, -1, "min"); }
Value largest(const Values& a, Budget& budget) { return extreme(a, budget, 1, "max"); }

Value position(const Values& a, Budget& budget) {
  const auto& items = a[0].items();
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (equal_values(items[i], a[1], budget)) return Value::of_int(static_cast<std::int64_t>(i));
  }
  return Value::of_int(-1);
}

Value last_position(const Values& a, Budget& budget) {
  const auto& items = a[0].items();
  for (std::size_t i = items.size(); i-- > 0;) {
    if (equal_values(items[i], a[1], budget)) return Value::of_int(static_cast<std::int64_t>(i));
  }
  return Value::of_int(-1);
}

// Also true when the budget is exhausted, so that the search ends.
bool has_item(const Value& list, const Value& item, Budget& budget) {
  return !budget.spend(1) || std::ranges::any_of(list.items(), [&](const Value& one) {
    return equal_values(one, item, budget) || budget.is_exhausted();
  });
}

Value set_contains(const Values& a, Budget& budget) {
  return Value::of_bool(std::all_of(a[1].items().begin(), a[1].items().end(),
                                    [&](const Value& item) { return has_item(a[0], item, budget); }));
}

Value set_equivalent(const Values& a, Budget& budget) {
  return Value::of_bool(set_contains(a, budget).is_true() && set_contains({a[1], a[0]}, budget).is_true());
}

Value set_intersects(const Values& a, Budget& budget) {
  return Value::of_bool(std::any_of(a[1].items().begin(), a[1].items().end(),
                                    [&](const Value& item) { return has_item(a[0], item, budget); }));
}

Value has_value(const Values& a, Budget&) { return Value::of_bool(!a[0].items().empty()); }
Value value_of(const Values& a, Budget&) {
  return a[0].items().empty() ? Value::error("optional.none() dereference") : a[0].items()[0];
}
Value value_or(const Values& a, Budget&) { return a[0].items().empty() ? a[1] : a[0].items()[0]; }
Value either(const Values& a, Budget&) { return a[0].items().empty() ? a[1] : a[0]; }
Value optional_of(const Values& a, Budget&) { return Value::some(a[0]); }
Value optional_none(const Values&, Budget&) { return Value::none(); }
Value optional_of_non_zero(const Values& a, Budget&) {
  const auto& value = a[0];
  bool is_zero = value.is(Kind::kNull) || value.is_false() ||
                 (value.is(Kind::kDouble) ? value.real() == 0 : value.is_number() && value.integer() == 0) ||
                 ((value.is(Kind::kString) || value.is(Kind::kBytes)) && value.text().empty()) ||
                 (value.is(Kind::kList) && value.items().empty()) ||
                 (value.is(Kind::kMap) && value.map().entries().empty());
  return is_zero ? Value::none() : Value::some(value);
}

}  // namespace

std::vector<Signature> list_signatures() {
  return {
      {"isSorted", true, "l", "b", is_sorted},
      {"sum", true, "l", "E", sum_of},
      {"min", true, "l", "E", least},
      {"max", true, "l", "E", largest},
      {"indexOf", true, "l*", "i", position},
      {"lastIndexOf", true, "l*", "i", last_position},
      {"sets.contains", false, "ll", "b", set_contains},
      {"sets.equivalent", false, "ll", "b", set_equivalent},
      {"sets.intersects", false, "ll", "b", set_intersects},
      {"hasValue", true, "o", "b", has_value},
      {"value", true, "o", "E", value_of},
      {"orValue", true, "o*", "E", value_or},
      {"or", true, "oo", "=", either},
      {"optional.of", false, "*", "o", optional_of},
      {"optional.ofNonZeroValue", false, "*", "o", optional_of_non_zero},
      {"optional.none", false, "", "o", optional_none},
  };
}

}  // namespace keelson::cel
