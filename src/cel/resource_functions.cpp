#include <arpa/inet.h>

#include <algorithm>
#include <array>

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

bool is_address_of(int family, const std::string& text) {
  std::array<unsigned char, 16> buffer{};
  return text.size() < 64 && text.find('%') == std::string::npos && inet_pton(family, text.c_str(), buffer.data()) == 1;
}

Value is_ip(const Values& a, Budget&) {
  return Value::of_bool(is_address_of(AF_INET, a[0].text()) || is_address_of(AF_INET6, a[0].text()));
}

Value is_cidr_text(const Values& a, Budget&) {
  const auto& text = a[0].text();
  auto slash = text.find('/');
  if (slash == std::string::npos) return Value::of_bool(false);
  const auto bits = base::parse_number<unsigned>(std::string_view(text).substr(slash + 1));
  auto address = text.substr(0, slash);
  return Value::of_bool(
      bits && ((*bits <= 32 && is_address_of(AF_INET, address)) || (*bits <= 128 && is_address_of(AF_INET6, address))));
}

// Parses a URL as Go's url.ParseRequestURI does.
Value is_url(const Values& a, Budget&) {
  const auto& text = a[0].text();
  if (text.starts_with('/')) return Value::of_bool(true);
  auto colon = text.find(':');
  auto is_scheme = [](char c) {
    return (base::to_lower(c) >= 'a' && base::to_lower(c) <= 'z') || base::is_digit(c) || c == '+' || c == '-' ||
           c == '.';
  };
  bool fits = colon != std::string::npos && colon > 0 && !base::is_digit(text[0]) &&
              text.find_first_of(" \t\n") == std::string::npos &&
              std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(colon), is_scheme);
  return Value::of_bool(fits);
}

}  // namespace

std::vector<Signature> resource_signatures() {
  return {
      {"quantity", false, "s", "q", to_quantity},
      {"isQuantity", false, "s", "b", is_quantity},
      {"isInteger", true, "q", "b", is_integer_quantity},
      {"asInteger", true, "q", "i", as_integer},
      {"sign", true, "q", "i", sign},
      {"isLessThan", true, "qq", "b", is_less},
      {"isGreaterThan", true, "qq", "b", is_greater},
      {"compareTo", true, "qq", "i", compare_to},
      {"isIP", false, "s", "b", is_ip},
      {"isCIDR", false, "s", "b", is_cidr_text},
      {"isURL", false, "s", "b", is_url},
  };
}

}  // namespace keelson::cel
