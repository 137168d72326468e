#include "src/cel/operators.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "keelson/detail/base/go_text.hpp"
#include "keelson/schema/quantity.hpp"
#include "src/cel/versions.hpp"

namespace keelson::cel {

namespace {

using Kind = Value::Kind;
constexpr std::int64_t kNanos = 1'000'000'000;

Value overflow(const char* what = "integer") { return Value::error(std::string(what) + " overflow"); }

int sign_of(double difference) { return difference < 0 ? -1 : difference > 0 ? 1 : 0; }

template <class T>
int order(const T& one, const T& other) {
  return one < other ? -1 : other < one ? 1 : 0;
}

bool is_nan(const Value& value) { return value.is(Kind::kDouble) && std::isnan(value.real()); }

int compare_numbers(const Value& one, const Value& other) {
  auto real = [](const Value& value) {
    return value.is(Kind::kDouble) ? value.real()
           : value.is(Kind::kInt)  ? static_cast<double>(value.integer())
                                   : static_cast<double>(value.unsigned_integer());
  };
  if (one.is(Kind::kDouble) || other.is(Kind::kDouble)) return sign_of(real(one) - real(other));
  if (one.kind() == other.kind()) {
    return one.is(Kind::kInt) ? order(one.integer(), other.integer())
                              : order(one.unsigned_integer(), other.unsigned_integer());
  }
  if (one.is(Kind::kInt)) return one.integer() < 0 ? -1 : order(one.unsigned_integer(), other.unsigned_integer());
  return other.integer() < 0 ? 1 : order(one.unsigned_integer(), other.unsigned_integer());
}

Value add_integers(std::int64_t one, std::int64_t other) {
  std::int64_t sum = 0;
  return __builtin_add_overflow(one, other, &sum) ? overflow() : Value::of_int(sum);
}

Value shifted(const Value& timestamp, std::int64_t nanoseconds) {
  auto nanos = timestamp.nanoseconds() + nanoseconds % kNanos;
  auto seconds = timestamp.integer() + nanoseconds / kNanos;
  if (nanos < 0) {
    nanos += kNanos;
    --seconds;
  } else if (nanos >= kNanos) {
    nanos -= kNanos;
    ++seconds;
  }
  constexpr std::int64_t kFirst = -62'135'596'800;
  constexpr std::int64_t kLast = 253'402'300'799;
  if (seconds < kFirst || seconds > kLast) return overflow("timestamp");
  return Value::of_timestamp(seconds, static_cast<std::int32_t>(nanos));
}

// Whether items of a list with keys are the same one.
bool have_same_keys(const Value& one, const Value& other, std::string_view keys, Budget& budget) {
  while (!keys.empty()) {
    const auto key = keys.substr(0, keys.find('\n'));
    keys.remove_prefix(std::min(key.size() + 1, keys.size()));
    const auto* left = one.map().find(key);
    const auto* right = other.map().find(key);
    if ((left == nullptr) != (right == nullptr)) return false;
    if (left != nullptr && !equal_values(*left, *right, budget)) return false;
  }
  return budget.spend(1);
}

// The items of the second list replace those with the same keys.
Value merged(const Value& one, const Value& other, Budget& budget) {
  auto items = one.items();
  for (const auto& item : other.items()) {
    const auto same = std::ranges::find_if(items, [&](const Value& had) {
      return budget.is_exhausted() || have_same_keys(had, item, one.text(), budget);
    });
    if (budget.is_exhausted()) return {};
    if (same == items.end()) {
      items.push_back(item);
    } else {
      *same = item;
    }
  }
  return Value::of_map_list(std::move(items), one.text());
}

Value concatenated(const Value& one, const Value& other, Budget& budget) {
  if (!budget.spend(one.items().size() + other.items().size())) return {};
  if (!one.text().empty()) return merged(one, other, budget);
  auto items = one.items();
  for (const auto& item : other.items()) {
    if (budget.is_exhausted()) return {};
    bool is_there = one.is_set() &&
                    std::ranges::any_of(one.items(), [&](const Value& had) { return equal_values(had, item, budget); });
    if (!is_there) items.push_back(item);
  }
  return one.is_set() ? Value::of_set(std::move(items)) : Value::of_list(std::move(items));
}

Value sum(const Value& one, const Value& other, Budget& budget) {
  if (one.is(Kind::kTimestamp) && other.is(Kind::kDuration)) return shifted(one, other.integer());
  if (one.is(Kind::kDuration) && other.is(Kind::kTimestamp)) return shifted(other, one.integer());
  if (one.kind() != other.kind()) return no_such_overload();
  switch (one.kind()) {
    case Kind::kInt:
      return add_integers(one.integer(), other.integer());
    case Kind::kDuration: {
      auto total = add_integers(one.integer(), other.integer());
      return total.is_error() ? overflow("duration") : Value::of_duration(total.integer());
    }
    case Kind::kUint: {
      std::uint64_t total = 0;
      if (__builtin_add_overflow(one.unsigned_integer(), other.unsigned_integer(), &total)) {
        return overflow("unsigned integer");
      }
      return Value::of_uint(total);
    }
    case Kind::kDouble:
      return Value::of_double(one.real() + other.real());
    case Kind::kString:
    case Kind::kBytes:
      if (!budget.spend((one.text().size() + other.text().size()) / 8)) return {};
      return Value::of_text(one.kind(), one.text() + other.text());
    case Kind::kList:
      return concatenated(one, other, budget);
    default:
      return no_such_overload();
  }
}

Value difference(const Value& one, const Value& other) {
  if (one.is(Kind::kTimestamp) && other.is(Kind::kDuration)) return shifted(one, -other.integer());
  if (one.kind() != other.kind()) return no_such_overload();
  std::int64_t result = 0;
  switch (one.kind()) {
    case Kind::kInt:
      return __builtin_sub_overflow(one.integer(), other.integer(), &result) ? overflow() : Value::of_int(result);
    case Kind::kDuration:
      return __builtin_sub_overflow(one.integer(), other.integer(), &result) ? overflow("duration")
                                                                             : Value::of_duration(result);
    case Kind::kUint:
      if (one.unsigned_integer() < other.unsigned_integer()) return overflow("unsigned integer");
      return Value::of_uint(one.unsigned_integer() - other.unsigned_integer());
    case Kind::kDouble:
      return Value::of_double(one.real() - other.real());
    case Kind::kTimestamp:
      if (__builtin_mul_overflow(one.integer() - other.integer(), kNanos, &result) ||
          __builtin_add_overflow(result, one.nanoseconds() - other.nanoseconds(), &result)) {
        return overflow("duration");
      }
      return Value::of_duration(result);
    default:
      return no_such_overload();
  }
}

Value product(const Value& one, const Value& other) {
  if (one.kind() != other.kind()) return no_such_overload();
  if (one.is(Kind::kDouble)) return Value::of_double(one.real() * other.real());
  if (one.is(Kind::kInt)) {
    std::int64_t result = 0;
    return __builtin_mul_overflow(one.integer(), other.integer(), &result) ? overflow() : Value::of_int(result);
  }
  if (!one.is(Kind::kUint)) return no_such_overload();
  std::uint64_t result = 0;
  if (__builtin_mul_overflow(one.unsigned_integer(), other.unsigned_integer(), &result)) {
    return overflow("unsigned integer");
  }
  return Value::of_uint(result);
}

Value quotient(const Value& one, const Value& other, bool is_rest) {
  if (one.kind() != other.kind()) return no_such_overload();
  const char* by_zero = is_rest ? "modulus by zero" : "division by zero";
  if (one.is(Kind::kDouble) && !is_rest) return Value::of_double(one.real() / other.real());
  if (one.is(Kind::kInt)) {
    if (other.integer() == 0) return Value::error(by_zero);
    if (one.integer() == std::numeric_limits<std::int64_t>::min() && other.integer() == -1) return overflow();
    return Value::of_int(is_rest ? one.integer() % other.integer() : one.integer() / other.integer());
  }
  if (!one.is(Kind::kUint)) return no_such_overload();
  if (other.unsigned_integer() == 0) return Value::error(by_zero);
  return Value::of_uint(is_rest ? one.unsigned_integer() % other.unsigned_integer()
                                : one.unsigned_integer() / other.unsigned_integer());
}

Value contained(const Value& needle, const Value& container, Budget& budget) {
  if (container.is(Kind::kMap)) {
    return Value::of_bool(pay_for_key(needle, budget) && container.map().find(needle) != nullptr);
  }
  if (!container.is(Kind::kList)) return no_such_overload();
  for (const auto& item : container.items()) {
    if (!budget.spend(1)) return {};
    if (equal_values(item, needle, budget)) return Value::of_bool(true);
  }
  return Value::of_bool(false);
}

bool equal_lists(const Value& one, const Value& other, Budget& budget) {
  const auto& items = one.items();
  const auto& others = other.items();
  if (items.size() != others.size()) return false;
  auto is_equal = [&budget](const Value& a, const Value& b) { return equal_values(a, b, budget); };
  if (!one.is_set()) return std::equal(items.begin(), items.end(), others.begin(), is_equal);
  return std::ranges::all_of(items, [&](const Value& item) {
    return std::ranges::any_of(others, [&](const Value& same) { return is_equal(item, same); });
  });
}

bool equal_maps(const MapValue& one, const MapValue& other, Budget& budget) {
  if (one.entries().size() != other.entries().size()) return false;
  return std::ranges::all_of(one.entries(), [&](const auto& entry) {
    if (!pay_for_key(entry.first, budget)) return false;
    const auto* same = other.find(entry.first);
    return same != nullptr && equal_values(entry.second, *same, budget);
  });
}

Value compared(const std::string& name, const Value& one, const Value& other, Budget& budget) {
  auto found = compare_values(one, other, budget);
  if (!found) return no_such_overload();
  if (is_nan(one) || is_nan(other)) return Value::of_bool(false);
  if (name == "_<_") return Value::of_bool(*found < 0);
  if (name == "_<=_") return Value::of_bool(*found <= 0);
  return Value::of_bool(name == "_>_" ? *found > 0 : *found >= 0);
}

Value negated(const Value& value) {
  if (value.is(Kind::kDouble)) return Value::of_double(-value.real());
  if (!value.is(Kind::kInt)) return no_such_overload();
  if (value.integer() == std::numeric_limits<std::int64_t>::min()) return overflow();
  return Value::of_int(-value.integer());
}

}  // namespace

bool pay_for_key(const Value& key, Budget& budget) { return budget.spend(key.text().size() / 16); }

bool equal_values(const Value& one, const Value& other, Budget& budget) {
  if (!budget.spend(1)) return false;
  if (one.is_number() && other.is_number()) return !is_nan(one) && !is_nan(other) && compare_numbers(one, other) == 0;
  if (one.kind() != other.kind()) return false;
  switch (one.kind()) {
    case Kind::kNull:
      return true;
    case Kind::kList:
      return equal_lists(one, other, budget);
    case Kind::kMap:
      return equal_maps(one.map(), other.map(), budget);
    case Kind::kOptional:
      return one.items().size() == other.items().size() &&
             (one.items().empty() || equal_values(one.items()[0], other.items()[0], budget));
    case Kind::kTimestamp:
      return one.integer() == other.integer() && one.nanoseconds() == other.nanoseconds();
    case Kind::kBool:
    case Kind::kDuration:
      return one.integer() == other.integer();
    case Kind::kQuantity:
    case Kind::kVersion:
      return compare_values(one, other, budget) == 0;
    default:
      return budget.spend(one.text().size() / 16) && one.text() == other.text();
  }
}

std::optional<int> compare_values(const Value& one, const Value& other, Budget& budget) {
  if (!budget.spend(std::min(one.text().size(), other.text().size()) / 16)) return std::nullopt;
  if (one.is_number() && other.is_number()) return compare_numbers(one, other);
  if (one.kind() != other.kind()) return std::nullopt;
  switch (one.kind()) {
    case Kind::kString:
    case Kind::kBytes:
      return order(one.text(), other.text());
    case Kind::kBool:
    case Kind::kDuration:
      return order(one.integer(), other.integer());
    case Kind::kTimestamp:
      return order(std::pair(one.integer(), one.nanoseconds()), std::pair(other.integer(), other.nanoseconds()));
    case Kind::kQuantity: {
      auto left = kube::Quantity::parse(one.text());
      auto right = kube::Quantity::parse(other.text());
      if (!left || !right) return std::nullopt;
      return *left < *right ? -1 : *right < *left ? 1 : 0;
    }
    case Kind::kVersion:
      return compare_versions(one.text(), other.text());
    default:
      return std::nullopt;
  }
}

std::size_t size_of_value(const Value& value) {
  return value.is(Kind::kList) ? value.items().size() : value.map().entries().size();
}

std::string key_shown(const Value& key) {
  return key.is(Kind::kString) ? key.text() : key.is(Kind::kInt) ? std::to_string(key.integer()) : key.type_name();
}

Value optional_at(const Value& container, const Value& index, Budget& budget) {
  if (container.is(Kind::kOptional)) {
    return container.items().empty() ? container : optional_at(container.items()[0], index, budget);
  }
  auto found = value_at_index(container, index, budget);
  return found.is_error() ? Value::none() : Value::some(std::move(found));
}

Value value_at_index(const Value& container, const Value& index, Budget& budget) {
  if (container.is(Kind::kMap)) {
    if (!pay_for_key(index, budget)) return {};
    if (const auto* found = container.map().find(index)) return *found;
    return Value::error("no such key: " + key_shown(index));
  }
  if (!container.is(Kind::kList) || !index.is_number()) return no_such_overload();
  auto at = index.is(Kind::kDouble) ? static_cast<std::int64_t>(index.real()) : index.integer();
  if (at < 0 || static_cast<std::size_t>(at) >= container.items().size()) {
    return Value::error("index out of bounds: " + std::to_string(at));
  }
  return container.items()[static_cast<std::size_t>(at)];
}

Value apply_operator(const std::string& name, const Values& operands, Budget& budget) {
  const auto& one = operands[0];
  if (name == "!_") return one.is(Kind::kBool) ? Value::of_bool(!one.is_true()) : no_such_overload();
  if (name == "-_") return negated(one);
  const auto& other = operands[1];
  if (name == "_==_") return Value::of_bool(equal_values(one, other, budget));
  if (name == "_!=_") return Value::of_bool(!equal_values(one, other, budget));
  if (name == "@in") return contained(one, other, budget);
  if (name == "_[_]" && !one.is(Kind::kOptional)) return value_at_index(one, other, budget);
  if (name == "_[_]" || name == "_[?_]") return optional_at(one, other, budget);
  if (name == "_+_") return sum(one, other, budget);
  if (name == "_-_") return difference(one, other);
  if (name == "_*_") return product(one, other);
  if (name == "_/_") return quotient(one, other, false);
  if (name == "_%_") return quotient(one, other, true);
  return compared(name, one, other, budget);
}

}  // namespace keelson::cel
