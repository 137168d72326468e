#include "src/sandbox/custom/value_scalars.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/parse_number.hpp"
#include "keelson/detail/base/utf8.hpp"
#include "keelson/detail/schema/short_text.hpp"
#include "src/sandbox/custom/formats.hpp"
#include "src/sandbox/custom/value_check.hpp"
#include "src/sandbox/fields/go_values.hpp"

namespace keelson::sandbox {

namespace {

using JsonType = Tree::Type;

double number_of(const Tree& value) { return base::parse_number<double>(value.scalar()).value_or(0); }

std::optional<std::int64_t> integer_of(const Tree& value) { return base::parse_number<std::int64_t>(value.scalar()); }

bool is_integral(double number) { return std::floor(number) == number && std::abs(number) < 9007199254740992.0; }

std::string_view type_of(const Tree& value) {
  switch (value.type()) {
    case JsonType::kNull:
      return "null";
    case JsonType::kBool:
      return "boolean";
    case JsonType::kString:
      return "string";
    case JsonType::kNumber:
      return is_whole(value) ? "integer" : "number";
    case JsonType::kArray:
      return "array";
    case JsonType::kObject:
    case JsonType::kRaw:
      break;
  }
  return "object";
}

void wrong_type(const Place& place, std::string_view wanted, std::string_view found, Findings& findings) {
  --findings.matches;
  findings.add_invalid(place, Tree(found),
                       " in body must be of type " + std::string(wanted) + ": " + base::quote_go(found),
                       FieldReason::kTypeInvalid);
}

std::int64_t rune_count(std::string_view text) {
  return std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
}

// Values and limits as fmt prints them: integers without an exponent.
std::string limit_text(double limit, bool is_integer) {
  return is_integer ? std::to_string(static_cast<std::int64_t>(limit)) : base::format_go_number(limit);
}

bool same_value(const Tree& one, const Tree& other) {
  if (one.type() == JsonType::kNumber && other.type() == JsonType::kNumber) return number_of(one) == number_of(other);
  return one == other;
}

void check_range(const Tree& value, const ValueSchema& schema, const Place& place, Findings& findings) {
  if (schema.type != "integer" && schema.format != "float") return;
  bool fits = true;
  if (schema.format == "float") {
    fits = std::abs(number_of(value)) <= static_cast<double>(std::numeric_limits<float>::max());
  } else if (auto integer = integer_of(value)) {
    fits = schema.format != "int32" || (*integer >= std::numeric_limits<std::int32_t>::min() &&
                                        *integer <= std::numeric_limits<std::int32_t>::max());
  } else {
    fits = is_integral(number_of(value));
  }
  if (fits) return;
  auto format = schema.format.empty() ? "(default format)" : "with format " + schema.format;
  findings.add_plain("Checked value must be of type " + schema.type + " " + format + " in " + place.text());
}

void check_bounds(const Tree& value, const ValueSchema& schema, const Place& place, Findings& findings) {
  bool is_integer = is_whole(value);
  // The API server truncates limits when it compares integers.
  auto exceeds = [&](double limit, bool is_exclusive, bool is_upper) {
    if (is_integer) {
      auto number = *integer_of(value);
      auto bound = static_cast<std::int64_t>(limit);
      if (number == bound) return is_exclusive;
      return is_upper ? number > bound : number < bound;
    }
    auto number = number_of(value);
    if (number == limit) return is_exclusive;
    return is_upper ? number > limit : number < limit;
  };
  if (schema.minimum && exceeds(*schema.minimum, schema.has_exclusive_minimum, false)) {
    findings.add_invalid(place, value,
                         std::string(" in body should be greater than ") +
                             (schema.has_exclusive_minimum ? "" : "or equal to ") +
                             limit_text(*schema.minimum, is_integer));
  }
  if (schema.maximum && exceeds(*schema.maximum, schema.has_exclusive_maximum, true)) {
    findings.add_invalid(place, value,
                         std::string(" in body should be less than ") +
                             (schema.has_exclusive_maximum ? "" : "or equal to ") +
                             limit_text(*schema.maximum, is_integer));
  }
}

void check_multiple(const Tree& value, const ValueSchema& schema, const Place& place, Findings& findings) {
  if (!schema.multiple_of) return;
  bool is_integer = is_whole(value);
  const double factor = *schema.multiple_of;
  bool is_multiple = false;
  if (is_integer && static_cast<std::int64_t>(factor) > 0) {
    is_multiple = *integer_of(value) % static_cast<std::int64_t>(factor) == 0;
  } else if (!is_integer && factor > 0) {
    is_multiple = is_integral(factor < 1 ? 1 / factor * number_of(value) : number_of(value) / factor);
  } else {
    auto shown = limit_text(factor, is_integer);
    findings.add({{FieldReason::kInvalid, place.text(), shown,
                   "factor MultipleOf declared for " + place.text() + " must be positive: " + shown},
                  false});
    return;
  }
  if (!is_multiple) {
    findings.add_invalid(place, value, " in body should be a multiple of " + limit_text(factor, is_integer));
  }
}

}  // namespace

bool is_whole(const Tree& number) { return integer_of(number).has_value(); }

std::string printed_value(const Tree& value) {
  switch (value.type()) {
    case JsonType::kString:
      return kube::short_quote(value.scalar());
    case JsonType::kNumber:
      return is_whole(value) ? std::to_string(*integer_of(value)) : base::format_go_number(number_of(value));
    default:
      return kube::short_text(go_json(value));
  }
}

void check_type(const Tree& value, const ValueSchema& schema, const Place& place, Findings& findings) {
  if (schema.type.empty() && schema.format.empty()) return;
  findings.matches += value.is_null() ? 1 : 2;
  auto found = type_of(value);
  if (value.is_null()) {
    if (!schema.type.empty() && !schema.is_nullable) wrong_type(place, schema.type, found, findings);
    return;
  }
  const bool is_number = value.type() == JsonType::kNumber;
  const bool fits = schema.allows_type(found) || (found == "integer" && schema.allows_type("number")) ||
                    (found == "number" && schema.allows_type("integer") && is_integral(number_of(value)));
  const bool is_text = value.is_string() || value.is_array();
  if (!schema.format.empty() && !is_text && !fits) {
    auto format = !is_number ? "" : found == "integer" ? "int64" : "float64";
    if (schema.format != format) return wrong_type(place, schema.format, format, findings);
  }
  const bool wants_number = schema.allows_type("number") || schema.allows_type("integer");
  if (!wants_number && !schema.format.empty() && is_text) return;
  if (!fits) wrong_type(place, schema.type, found, findings);
}

void check_enum(const Tree& value, const ValueSchema& schema, const Place& place, Findings& findings) {
  if (!value.is_null()) ++findings.matches;
  if (schema.values.empty()) return;
  bool is_one =
      !value.is_null() && std::ranges::any_of(schema.values, [&](const Tree& one) { return same_value(value, one); });
  if (is_one) return;
  std::string supported;
  for (const auto& one : schema.values) {
    if (supported.size() > kube::kQuotedBytes * 4) {
      supported += ", ...";
      break;
    }
    if (!supported.empty()) supported += ", ";
    supported += kube::short_quote(one.is_string() ? one.scalar() : go_json(one));
  }
  findings.add({{FieldReason::kNotSupported, place.text(), printed_value(value), supported}, false});
}

void check_number(const Tree& value, const ValueSchema& schema, const Place& place, Findings& findings) {
  check_range(value, schema, place, findings);
  check_multiple(value, schema, place, findings);
  check_bounds(value, schema, place, findings);
  findings.matches += 2;
}

bool check_string(const Tree& value, const ValueSchema& schema, const Place& place, std::size_t& steps,
                  Findings& findings) {
  const auto& text = value.scalar();
  ++findings.matches;
  if (schema.max_length && rune_count(text) > *schema.max_length) {
    findings.add({FieldError::too_long(place.text(), *schema.max_length), false});
  } else if (schema.min_length && rune_count(text) < *schema.min_length) {
    findings.add_invalid(place, value,
                         " in body should be at least " + std::to_string(*schema.min_length) + " chars long");
  } else if (schema.compiled_pattern) {
    auto matches = schema.compiled_pattern->matches(text, steps);
    if (!matches) return false;
    if (!*matches) findings.add_invalid(place, value, " in body should match '" + schema.pattern + "'");
  }
  if (schema.format.empty() || schema.format == "int32" || schema.format == "int64") return true;
  ++findings.matches;
  if (!has_format(text, schema.format)) {
    findings.add_invalid(place, value, " in body must be of type " + schema.format + ": " + kube::short_quote(text),
                         FieldReason::kTypeInvalid);
  }
  return true;
}

void check_member_count(std::size_t count, const ValueSchema& schema, const Place& place, Findings& findings) {
  auto members = static_cast<std::int64_t>(count);
  if (schema.min_properties && members < *schema.min_properties) {
    findings.add_invalid(place, Tree(members),
                         " in body should have at least " + std::to_string(*schema.min_properties) + " properties");
  }
  if (schema.max_properties && members > *schema.max_properties) {
    findings.add({FieldError::too_many(place.text(), count, *schema.max_properties), false});
  }
}

void check_item_count(std::size_t count, const ValueSchema& schema, const Place& place, Findings& findings) {
  auto items = static_cast<std::int64_t>(count);
  if (schema.min_items && items < *schema.min_items) {
    findings.add_invalid(place, Tree(items),
                         " in body should have at least " + std::to_string(*schema.min_items) + " items");
  }
  if (schema.max_items && items > *schema.max_items) {
    findings.add({FieldError::too_many(place.text(), count, *schema.max_items), false});
  }
}

std::string entry_key(const Tree& entry, const ValueSchema& list) {
  auto key = Tree::object();
  for (const auto& name : list.list_keys) {
    if (const Tree* value = entry.find(name)) key[name] = *value;
  }
  return go_json(key);
}

}  // namespace keelson::sandbox
