#include <algorithm>
#include <numeric>

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

Value position_in(const Values& a, Budget& budget, bool is_last) {
  const auto& items = a[0].items();
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto at = is_last ? items.size() - 1 - i : i;
    if (equal_values(items[at], a[1], budget)) return Value::of_int(static_cast<std::int64_t>(at));
  }
  return Value::of_int(-1);
}
Value position(const Values& a, Budget& budget) { return position_in(a, budget, false); }
Value last_position(const Values& a, Budget& budget) { return position_in(a, budget, true); }

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

Value sliced(const Values& a, Budget& budget) {
  const auto& items = a[0].items();
  const auto begin = a[1].integer();
  const auto end = a[2].integer();
  const auto call = "cannot slice(" + std::to_string(begin) + ", " + std::to_string(end) + "), ";
  if (begin < 0 || end < 0) return Value::error(call + "negative indexes not supported");
  if (begin > end) return Value::error(call + "start index must be less than or equal to end index");
  if (end > static_cast<std::int64_t>(items.size())) {
    return Value::error(call + "list is length " + std::to_string(items.size()));
  }
  if (!budget.spend(static_cast<std::size_t>(end - begin))) return {};
  return Value::of_list(Values(items.begin() + begin, items.begin() + end));
}

void flatten_into(Values& made, const Value& list, std::int64_t depth, Budget& budget) {
  for (const auto& item : list.items()) {
    if (!budget.spend(1)) return;
    if (depth > 0 && item.is(Kind::kList)) {
      flatten_into(made, item, depth - 1, budget);
    } else {
      made.push_back(item);
    }
  }
}

Value flattened(const Values& a, Budget& budget) {
  const auto depth = a.size() > 1 ? a[1].integer() : 1;
  if (depth < 0) return Value::error("level must be non-negative");
  Values made;
  flatten_into(made, a[0], depth, budget);
  return Value::of_list(std::move(made));
}

Value range_of(const Values& a, Budget& budget) {
  const auto count = static_cast<std::size_t>(std::max<std::int64_t>(a[0].integer(), 0));
  if (!budget.spend(count)) return {};
  Values made;
  for (std::size_t i = 0; i < count; ++i) made.push_back(Value::of_int(static_cast<std::int64_t>(i)));
  return Value::of_list(std::move(made));
}

Value reversed(const Values& a, Budget& budget) {
  if (!budget.spend(a[0].items().size())) return {};
  return Value::of_list(Values(a[0].items().rbegin(), a[0].items().rend()));
}

Value distinct(const Values& a, Budget& budget) {
  Values made;
  for (const auto& item : a[0].items()) {
    const bool is_known = std::ranges::any_of(
        made, [&](const Value& one) { return budget.is_exhausted() || equal_values(one, item, budget); });
    if (budget.is_exhausted()) return {};
    if (!is_known) made.push_back(item);
  }
  return Value::of_list(std::move(made));
}

Value sorted(const Values& a, Budget& budget) { return sorted_by_keys({a[0], a[0]}, budget); }

Value first(const Values& a, Budget&) {
  return a[0].items().empty() ? Value::none() : Value::some(a[0].items().front());
}
Value last(const Values& a, Budget&) { return a[0].items().empty() ? Value::none() : Value::some(a[0].items().back()); }
Value unwrapped(const Values& a, Budget& budget) {
  Values made;
  for (const auto& item : a[0].items()) {
    if (!item.is(Kind::kOptional)) return no_such_overload();
    if (!budget.spend(1)) return {};
    if (!item.items().empty()) made.push_back(item.items()[0]);
  }
  return Value::of_list(std::move(made));
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

Value sorted_by_keys(const Values& a, Budget& budget) {
  const auto& items = a[0].items();
  const auto& keys = a[1].items();
  std::vector<std::size_t> order(items.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i].kind() != keys[0].kind()) return Value::error("list elements must have the same type");
    if (!compare_values(keys[i], keys[i], budget)) {
      return budget.is_exhausted() ? Value() : Value::error("list elements must be comparable");
    }
  }
  std::ranges::stable_sort(order, [&](std::size_t one, std::size_t other) {
    return compare_values(keys[one], keys[other], budget).value_or(0) < 0;
  });
  if (!budget.spend(items.size())) return {};
  Values made;
  for (const auto at : order) made.push_back(items[at]);
  return Value::of_list(std::move(made));
}

std::vector<Signature> list_signatures() {
  return {
      {"isSorted", true, "lc", "b", is_sorted, CallCost::kElements},
      {"sum", true, "ln", "n", sum_of, CallCost::kElements},
      {"min", true, "lc", "c", least, CallCost::kElements},
      {"max", true, "lc", "c", largest, CallCost::kElements},
      {"indexOf", true, "lAA", "i", position, CallCost::kElements},
      {"lastIndexOf", true, "lAA", "i", last_position, CallCost::kElements},
      {"slice", true, "lAii", "lA", sliced, CallCost::kSlice},
      {"flatten", true, "llA", "lA", flattened, CallCost::kFlatten},
      {"flatten", true, "lAi", "l*", flattened, CallCost::kFlatten},
      {"lists.range", false, "i", "li", range_of, CallCost::kRange},
      {"reverse", true, "lA", "lA", reversed, CallCost::kReverse},
      {"distinct", true, "lA", "lA", distinct, CallCost::kSort},
      {"sort", true, "lc", "lc", sorted, CallCost::kSort},
      {"@sortByAssociatedKeys", true, "lBlc", "lB", sorted_by_keys, CallCost::kSortBy},
      {"sets.contains", false, "lAlA", "b", set_contains, CallCost::kSets},
      {"sets.equivalent", false, "lAlA", "b", set_equivalent, CallCost::kSetsTwice},
      {"sets.intersects", false, "lAlA", "b", set_intersects, CallCost::kSets},
      {"hasValue", true, "oA", "b", has_value},
      {"value", true, "oA", "A", value_of},
      {"orValue", true, "oAA", "A", value_or},
      {"or", true, "oAoA", "oA", either},
      {"optional.of", false, "A", "oA", optional_of},
      {"optional.ofNonZeroValue", false, "A", "oA", optional_of_non_zero},
      {"optional.none", false, "", "oA", optional_none},
      {"optional.unwrap", false, "loA", "lA", unwrapped},
      {"unwrapOpt", true, "loA", "lA", unwrapped},
      {"first", true, "lA", "oA", first},
      {"last", true, "lA", "oA", last},
  };
}

}  // namespace keelson::cel
