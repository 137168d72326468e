#include <cmath>
#include <optional>
#include <string>

#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/parse_number.hpp"
#include "src/cel/functions.hpp"
#include "src/cel/time_values.hpp"

namespace keelson::cel {

namespace {

using Kind = Value::Kind;

template <class T>
std::optional<T> number_in(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  return base::parse_number<T>(text);
}

Value wrong_text(const char* type) {
  return Value::error(std::string("type conversion error from 'string' to '") + type + "'");
}

Value to_int(const Values& a, Budget&) {
  const auto& value = a[0];
  switch (value.kind()) {
    case Kind::kUint:
      return value.integer() < 0 ? Value::error("integer overflow") : Value::of_int(value.integer());
    case Kind::kDouble:
      if (!(std::abs(value.real()) < 9.2233720368547e18)) return Value::error("integer overflow");
      return Value::of_int(static_cast<std::int64_t>(value.real()));
    case Kind::kString: {
      auto number = number_in<std::int64_t>(value.text());
      return number ? Value::of_int(*number) : wrong_text("int");
    }
    default:  // ints, and seconds of timestamps
      return Value::of_int(value.integer());
  }
}

Value to_uint(const Values& a, Budget&) {
  const auto& value = a[0];
  switch (value.kind()) {
    case Kind::kInt:
      return value.integer() < 0 ? Value::error("unsigned integer overflow") : Value::of_uint(value.unsigned_integer());
    case Kind::kDouble:
      if (const bool fits = value.real() >= 0 && value.real() < 1.8446744073709e19; !fits) {
        return Value::error("unsigned integer overflow");
      }
      return Value::of_uint(static_cast<std::uint64_t>(value.real()));
    case Kind::kString: {
      auto number = number_in<std::uint64_t>(value.text());
      return number ? Value::of_uint(*number) : wrong_text("uint");
    }
    default:
      return value;
  }
}

Value to_double(const Values& a, Budget&) {
  const auto& value = a[0];
  switch (value.kind()) {
    case Kind::kInt:
      return Value::of_double(static_cast<double>(value.integer()));
    case Kind::kUint:
      return Value::of_double(static_cast<double>(value.unsigned_integer()));
    case Kind::kString: {
      auto number = number_in<double>(value.text());
      return number ? Value::of_double(*number) : wrong_text("double");
    }
    default:
      return value;
  }
}

Value to_string(const Values& a, Budget& budget) {
  const auto& value = a[0];
  switch (value.kind()) {
    case Kind::kInt:
      return Value::of_string(std::to_string(value.integer()));
    case Kind::kUint:
      return Value::of_string(std::to_string(value.unsigned_integer()));
    case Kind::kDouble:
      return Value::of_string(base::format_go_number(value.real()));
    case Kind::kBool:
      return Value::of_string(value.is_true() ? "true" : "false");
    case Kind::kTimestamp:
      return Value::of_string(timestamp_text(value));
    case Kind::kDuration:
      return Value::of_string(duration_text(value));
    default:
      if (!budget.spend(value.text().size() / 16)) return {};
      return Value::of_string(value.text());
  }
}

Value to_bytes(const Values& a, Budget&) { return Value::of_bytes(a[0].text()); }

Value to_bool(const Values& a, Budget&) {
  if (a[0].is(Kind::kBool)) return a[0];
  const auto& text = a[0].text();
  for (const char* yes : {"1", "t", "T", "true", "TRUE", "True"}) {
    if (text == yes) return Value::of_bool(true);
  }
  for (const char* no : {"0", "f", "F", "false", "FALSE", "False"}) {
    if (text == no) return Value::of_bool(false);
  }
  return wrong_text("bool");
}

Value to_dyn(const Values& a, Budget&) { return a[0]; }
Value to_type(const Values& a, Budget&) { return Value::of_type(a[0].type_name()); }

Value to_duration(const Values& a, Budget&) {
  if (a[0].is(Kind::kDuration)) return a[0];
  auto parsed = parse_duration_value(a[0].text());
  return parsed.is_error() ? wrong_text("google.protobuf.Duration") : parsed;
}

Value to_timestamp(const Values& a, Budget&) {
  if (a[0].is(Kind::kTimestamp)) return a[0];
  if (a[0].is(Kind::kInt)) {
    return is_timestamp_second(a[0].integer()) ? Value::of_timestamp(a[0].integer(), 0)
                                               : Value::error("timestamp overflow");
  }
  auto parsed = parse_timestamp_value(a[0].text());
  return parsed.is_error() ? wrong_text("google.protobuf.Timestamp") : parsed;
}

}  // namespace

std::vector<Signature> conversion_signatures() {
  std::vector<Signature> all;
  struct Conversion {
    const char* name;
    const char* from;
    const char* to;
    Value (*call)(const Values&, Budget&);
  };
  static const Conversion kConversions[] = {{"int", "iudst", "i", to_int},
                                            {"uint", "iuds", "u", to_uint},
                                            {"double", "iuds", "d", to_double},
                                            {"string", "iudsybtDIC", "s", to_string},
                                            {"bytes", "sy", "y", to_bytes},
                                            {"bool", "bs", "b", to_bool},
                                            {"dyn", "A", "*", to_dyn},
                                            {"type", "A", "T", to_type},
                                            {"duration", "Ds", "D", to_duration},
                                            {"timestamp", "tis", "t", to_timestamp}};
  static const char* const kLetters[] = {"i", "u", "d", "s", "y", "b", "t", "D", "I", "C", "A"};
  for (const auto& one : kConversions) {
    for (const char* from : kLetters) {
      if (std::string_view(one.from).find(from[0]) == std::string_view::npos) continue;
      const std::string_view conversion(one.name);
      const auto cost = conversion == "bytes" && from[0] == 's'    ? CallCost::kToBytes
                        : conversion == "string" && from[0] == 'y' ? CallCost::kFromBytes
                        : conversion == "dyn"                      ? CallCost::kDyn
                                                                   : CallCost::kOne;
      all.push_back({one.name, false, from, one.to, one.call, cost});
    }
  }
  return all;
}

}  // namespace keelson::cel
