#include <algorithm>

#include "keelson/detail/base/parse_number.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/schema/quantity.hpp"
#include "src/cel/functions.hpp"
#include "src/cel/operators.hpp"

namespace keelson::cel {

namespace {

using Kind = Value::Kind;

kube::Quantity quantity_of(const Value& value) {
  auto parsed = kube::Quantity::parse(value.text());
  return parsed ? *parsed : kube::Quantity();
}

Value to_quantity(const Values& a, Budget&) {
  auto parsed = kube::Quantity::parse(a[0].text());
  return parsed ? Value::of_text(Kind::kQuantity, a[0].text()) : Value::error(parsed.error().text);
}
Value is_quantity(const Values& a, Budget&) { return Value::of_bool(kube::Quantity::parse(a[0].text()).has_value()); }
Value is_integer_quantity(const Values& a, Budget&) {
  auto value = quantity_of(a[0]);
  return Value::of_bool(kube::Quantity(value.value()) == value);
}
Value as_integer(const Values& a, Budget& budget) {
  if (is_integer_quantity(a, budget).is_false()) return Value::error("cannot convert value to integer");
  return Value::of_int(quantity_of(a[0]).value());
}
Value sign(const Values& a, Budget&) {
  auto value = quantity_of(a[0]);
  return Value::of_int(value < kube::Quantity() ? -1 : kube::Quantity() < value ? 1 : 0);
}
Value is_less(const Values& a, Budget&) { return Value::of_bool(quantity_of(a[0]) < quantity_of(a[1])); }
Value is_greater(const Values& a, Budget&) { return Value::of_bool(quantity_of(a[1]) < quantity_of(a[0])); }
Value compare_to(const Values& a, Budget& budget) {
  return Value::of_int(compare_values(a[0], a[1], budget).value_or(0));
}

__extension__ using Nanos = __int128;

// A quantity in billionths.
Nanos nanos_of(const Value& value) {
  if (value.is(Kind::kInt)) return Nanos{value.integer()} * 1'000'000'000;
  // Whole units and the rest: the canonical text has no fraction.
  const auto amount = quantity_of(value);
  const auto text = amount.text();
  Nanos number = 0;
  std::size_t at = text.starts_with('-') ? 1 : 0;
  for (; at < text.size() && base::is_digit(text[at]); ++at) number = number * 10 + (text[at] - '0');
  const auto unit = text.substr(at);
  const bool has_exponent = unit.size() > 1 && (unit[0] == 'e' || unit[0] == 'E') && unit != "Ei";
  if (has_exponent) {
    auto exponent = base::parse_number<int>(std::string_view(unit).substr(1)).value_or(0) + 9;
    for (; exponent > 0; --exponent) number *= 10;
    for (; exponent < 0; ++exponent) number /= 10;
  } else if (unit.ends_with('i')) {
    for (auto power = std::string_view("KMGTPE").find(unit[0]) + 1; power > 0; --power) number *= 1024;
    number *= 1'000'000'000;
  } else {
    const auto power = unit.empty() ? 3 : std::string_view("num kMGTPE").find(unit[0]);
    for (std::size_t i = 0; i < power; ++i) number *= 1000;
  }
  return text.starts_with('-') ? -number : number;
}

Value quantity_in_nanos(Nanos nanos) {
  std::string digits;
  for (auto rest = nanos < 0 ? -nanos : nanos; rest > 0; rest /= 10) {
    digits += static_cast<char>('0' + static_cast<int>(rest % 10));
  }
  if (digits.empty()) digits = "0";
  if (nanos < 0) digits += '-';
  std::ranges::reverse(digits);
  return Value::of_text(Kind::kQuantity, digits + "n");
}

Value as_float(const Values& a, Budget&) { return Value::of_double(static_cast<double>(nanos_of(a[0])) / 1e9); }
Value add(const Values& a, Budget&) { return quantity_in_nanos(nanos_of(a[0]) + nanos_of(a[1])); }
Value subtract(const Values& a, Budget&) { return quantity_in_nanos(nanos_of(a[0]) - nanos_of(a[1])); }

}  // namespace

std::vector<Signature> resource_signatures() {
  return {
      {"quantity", false, "s", "q", to_quantity, CallCost::kParse},
      {"isQuantity", false, "s", "b", is_quantity, CallCost::kParse},
      {"isInteger", true, "q", "b", is_integer_quantity},
      {"asInteger", true, "q", "i", as_integer},
      {"asApproximateFloat", true, "q", "d", as_float},
      {"add", true, "qq", "q", add},
      {"add", true, "qi", "q", add},
      {"sub", true, "qq", "q", subtract},
      {"sub", true, "qi", "q", subtract},
      {"sign", false, "q", "i", sign},
      {"isLessThan", true, "qq", "b", is_less},
      {"isGreaterThan", true, "qq", "b", is_greater},
      {"compareTo", true, "qq", "i", compare_to},
  };
}

}  // namespace keelson::cel
