#include "src/cel/text_format.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "keelson/base/result.hpp"
#include "keelson/base/try.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/hex.hpp"
#include "keelson/detail/base/parse_number.hpp"
#include "keelson/detail/base/text.hpp"
#include "src/cel/time_values.hpp"

namespace keelson::cel {

namespace {

using Kind = Value::Kind;

// Of a number with a precision; Go's limit is larger, but a text need not be.
constexpr int kMostPrecision = 1000;
constexpr const char* kInFormat = "error during formatting: ";

// A part of a format: a text, or an argument.
struct FormatPart {
  std::string_view text;
  char letter = '\0';  // of an argument
  int precision = 6;
};

Result<FormatPart> clause_at(std::string_view format, std::size_t& at) {
  constexpr const char* kFailed = "could not parse formatting clause: ";
  constexpr const char* kPrecision = "could not parse formatting clause: error while parsing precision: ";
  FormatPart part;
  if (format[at] == '.') {
    const auto begin = ++at;
    while (at < format.size() && base::is_digit(format[at])) ++at;
    if (at == format.size())
      return invalid_error(std::string(kPrecision) + "could not find end of precision specifier");
    const auto digits = format.substr(begin, at - begin);
    const auto number = base::parse_number<int>(digits);
    if (!number || *number > kMostPrecision) {
      return invalid_error(std::string(kPrecision) +
                           "error while converting precision to integer: strconv.Atoi: parsing " +
                           base::quote_go(digits) + (number ? ": value out of range" : ": invalid syntax"));
    }
    part.precision = *number;
  }
  part.letter = format[at++];
  if (std::string_view("sdfebxXo").find(part.letter) == std::string_view::npos) {
    return invalid_error(std::string(kFailed) + "unrecognized formatting clause \"" + part.letter + "\"");
  }
  return part;
}

Result<std::vector<FormatPart>> parts_of_format(std::string_view format, std::size_t arguments) {
  std::vector<FormatPart> parts;
  std::size_t used = 0;
  for (std::size_t at = 0; at < format.size();) {
    const auto percent = std::min(format.find('%', at), format.size());
    if (percent > at) parts.push_back({.text = format.substr(at, percent - at)});
    at = percent + 1;
    if (percent == format.size()) break;
    if (at < format.size() && format[at] == '%') {
      parts.push_back({.text = format.substr(at++, 1)});
      continue;
    }
    const bool is_missing = used >= arguments;
    if (is_missing && at < format.size()) return invalid_error("index " + std::to_string(used) + " out of range");
    if (at >= format.size()) {
      return invalid_error(is_missing ? "index " + std::to_string(used) + " out of range" : "unexpected end of string");
    }
    KEELSON_LET(auto part, clause_at(format, at));
    ++used;
    parts.push_back(part);
  }
  return parts;
}

// The kinds that a clause accepts, and the reason for which it does not accept others.
struct ClauseRule {
  std::string_view letters;
  std::vector<Kind> kinds;
  const char* why;
};

const ClauseRule& clause_rule(char letter) {
  static const std::array<ClauseRule, 6> kRules{{
      {"s",
       {Kind::kList, Kind::kMap, Kind::kInt, Kind::kUint, Kind::kDouble, Kind::kBool, Kind::kString, Kind::kTimestamp,
        Kind::kBytes, Kind::kDuration, Kind::kType, Kind::kNull},
       "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and "
       "timestamps, was given "},
      {"d", {Kind::kInt, Kind::kUint}, "decimal clause can only be used on integers, was given "},
      {"f", {Kind::kDouble, Kind::kString}, "fixed-point clause can only be used on doubles, was given "},
      {"e", {Kind::kDouble, Kind::kString}, "scientific clause can only be used on doubles, was given "},
      {"b", {Kind::kInt, Kind::kUint, Kind::kBool}, "only integers and bools can be formatted as binary, was given "},
      {"xX",
       {Kind::kInt, Kind::kUint, Kind::kString, Kind::kBytes},
       "only integers, byte buffers, and strings can be formatted as hex, was given "},
  }};
  static const ClauseRule kOctal{
      "o", {Kind::kInt, Kind::kUint}, "octal clause can only be used on integers, was given "};
  const auto found = std::ranges::find_if(
      kRules, [letter](const ClauseRule& rule) { return rule.letters.find(letter) != std::string_view::npos; });
  return found == kRules.end() ? kOctal : *found;
}

std::string wrong_kind(char letter, Kind kind) {
  const auto& rule = clause_rule(letter);
  if (std::ranges::find(rule.kinds, kind) != rule.kinds.end()) return "";
  return std::string(kInFormat) + rule.why + Value::name_of(kind);
}

std::string in_radix(const Value& value, int radix) {
  if (value.is(Kind::kBool)) return value.is_true() ? "1" : "0";
  std::array<char, 72> buffer{};
  const auto written =
      value.is(Kind::kUint)
          ? std::to_chars(buffer.data(), buffer.data() + buffer.size(), value.unsigned_integer(), radix)
          : std::to_chars(buffer.data(), buffer.data() + buffer.size(), value.integer(), radix);
  return {buffer.data(), written.ptr};
}

// With separators of thousands, as in en_US, for %f.
std::string with_commas(std::string text) {
  const auto first = text.starts_with('-') ? std::size_t{1} : std::size_t{0};
  const auto point = std::min(text.find('.'), text.size());
  for (auto at = point; at > first + 3;) {
    at -= 3;
    text.insert(at, ",");
  }
  return text;
}

std::string real_text(double value, char letter, int precision) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-∞" : "∞";
  std::string text(static_cast<std::size_t>(precision) + 330, '\0');
  const auto format = letter == 'f' ? std::chars_format::fixed : std::chars_format::scientific;
  const auto written = std::to_chars(text.data(), text.data() + text.size(), value, format, precision);
  text.resize(static_cast<std::size_t>(written.ptr - text.data()));
  if (letter == 'f') return with_commas(std::move(text));
  // 1.5e+00 is written 1.500000 × 10⁰⁰ in en_US.
  static constexpr const char* kRaised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  const auto exponent = text.find('e');
  auto shown = text.substr(0, exponent) + " × 10";
  for (const char c : text.substr(exponent + 1)) {
    if (base::is_digit(c)) shown += kRaised[c - '0'];
    if (c == '-') shown += "⁻";
  }
  return shown;
}

// Values within lists and maps, and all values of %s.
class FormatText {
 public:
  explicit FormatText(Budget& budget) : budget_(budget) {}

  // False if a value has no text; why() is the reason.
  bool append(const Value& value, bool is_inner) {
    if (!budget_.spend(1 + value.text().size() / 8)) return false;
    switch (value.kind()) {
      case Kind::kNull:
        text_ += "null";
        return true;
      case Kind::kBool:
        text_ += value.is_true() ? "true" : "false";
        return true;
      case Kind::kInt:
      case Kind::kUint:
        text_ += in_radix(value, 10);
        return true;
      case Kind::kDouble:
        text_ += is_inner ? inner_real(value.real()) : base::format_go_number(value.real());
        return true;
      case Kind::kString:
        text_ += is_inner ? base::quote_go(value.text()) : value.text();
        return true;
      case Kind::kBytes:
        text_ += is_inner ? "b" + base::quote_go(value.text()) : value.text();
        return true;
      case Kind::kType:
        text_ += value.text();
        return true;
      case Kind::kDuration:
        text_ += is_inner ? "duration(\"" + duration_text(value) + "\")" : duration_text(value);
        return true;
      case Kind::kTimestamp:
        text_ += is_inner ? "timestamp(\"" + timestamp_text(value) + "\")" : timestamp_text(value);
        return true;
      case Kind::kList:
        return append_list(value);
      case Kind::kMap:
        return append_map(value);
      default:
        why_ = "no formatting function for " + value.type_name();
        return false;
    }
  }
  [[nodiscard]] std::string take() { return std::move(text_); }
  [[nodiscard]] const std::string& why() const { return why_; }

 private:
  static std::string inner_real(double value) {
    if (std::isnan(value)) return "\"NaN\"";
    if (std::isinf(value)) return value < 0 ? "\"-Inf\"" : "\"+Inf\"";
    auto text = real_text(value, 'f', 6);
    std::erase(text, ',');
    return text;
  }

  bool append_list(const Value& list) {
    text_ += '[';
    bool is_first = true;
    for (const auto& item : list.items()) {
      if (!is_first) text_ += ", ";
      is_first = false;
      if (!append(item, true)) return false;
    }
    text_ += ']';
    return true;
  }

  bool append_map(const Value& map) {
    std::vector<std::pair<std::string, const Value*>> sorted;
    for (const auto& [key, member] : map.map().entries()) {
      FormatText name(budget_);
      if (!name.append(key, true)) return false;
      sorted.emplace_back(name.take(), &member);
    }
    std::ranges::stable_sort(sorted, {}, [](const auto& pair) -> const std::string& { return pair.first; });
    text_ += '{';
    bool is_first = true;
    for (const auto& [key, member] : sorted) {
      text_ += (is_first ? "" : ", ") + key + ":";
      is_first = false;
      if (!append(*member, true)) return false;
    }
    text_ += '}';
    return true;
  }

  Budget& budget_;
  std::string text_;
  std::string why_;
};

std::string hex_of(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    text += "0123456789abcdef"[static_cast<unsigned char>(c) >> 4U];
    text += "0123456789abcdef"[static_cast<unsigned char>(c) & 15U];
  }
  return text;
}

std::string upper_text(std::string text) {
  for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return text;
}

// A value in the form of a clause; an error value if it has none.
Value clause_text(const FormatPart& part, const Value& value, Budget& budget) {
  if (auto why = wrong_kind(part.letter, value.kind()); !why.empty()) return Value::error(why);
  switch (part.letter) {
    case 's': {
      FormatText text(budget);
      if (text.append(value, false)) return Value::of_string(text.take());
      return Value::error(kInFormat + text.why());
    }
    case 'f':
    case 'e': {
      if (value.is(Kind::kDouble)) return Value::of_string(real_text(value.real(), part.letter, part.precision));
      const auto& name = value.text();
      if (name == "NaN" || name == "Infinity" || name == "-Infinity") {
        return Value::of_string(name == "NaN" ? "NaN" : name == "Infinity" ? "∞" : "-∞");
      }
      return Value::error(std::string(kInFormat) + clause_rule(part.letter).why + "string");
    }
    case 'x':
    case 'X': {
      const bool is_text = value.is(Kind::kString) || value.is(Kind::kBytes);
      auto text = is_text ? hex_of(value.text()) : in_radix(value, 16);
      return Value::of_string(part.letter == 'x' ? std::move(text) : upper_text(std::move(text)));
    }
    default:
      return Value::of_string(in_radix(value, part.letter == 'b' ? 2 : part.letter == 'o' ? 8 : 10));
  }
}

}  // namespace

Value formatted_text(const Values& a, Budget& budget) {
  const auto parts = parts_of_format(a[0].text(), a[1].items().size());
  if (!parts) return Value::error(parts.error().text);
  std::string text;
  std::size_t used = 0;
  for (const auto& part : *parts) {
    if (part.letter == '\0') {
      text += part.text;
      continue;
    }
    const auto shown = clause_text(part, a[1].items()[used++], budget);
    if (shown.is_error()) return shown;
    if (!budget.spend(shown.text().size() / 8)) return {};
    text += shown.text();
  }
  return Value::of_string(std::move(text));
}

std::string static_format_error(std::string_view format, const std::vector<TypePointer>& types,
                                std::optional<std::size_t>& at) {
  const auto parts = parts_of_format(format, types.size());
  if (!parts) return parts.error().text;
  std::size_t used = 0;
  for (const auto& part : *parts) {
    if (part.letter == '\0') continue;
    const auto& type = *types[used];
    auto why = type.is_dyn() ? std::string() : wrong_kind(part.letter, type.kind);
    if (!why.empty()) {
      at = used;
      return why;
    }
    ++used;
  }
  if (used == types.size()) return "";
  return "too many arguments supplied to string.format (expected " + std::to_string(used) + ", got " +
         std::to_string(types.size()) + ")";
}

}  // namespace keelson::cel
