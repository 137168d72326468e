#include "src/json/yaml_scalar.hpp"

#include <algorithm>
#include <cstdint>

#include "keelson/detail/base/parse_number.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/json/writer.hpp"
#include "src/json/number.hpp"

namespace keelson::json {
namespace {

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, text) != words.end();
}

std::optional<std::string> integer_json(std::string_view text);
bool is_decimal_float(std::string_view text);
std::string float_json(std::string_view text);

}  // namespace

std::optional<std::string> plain_scalar_json(std::string_view text) {
  if (is_one_of(text, {"", "~", "null", "Null", "NULL"})) return "null";
  if (is_one_of(text, {"true", "True", "TRUE"})) return "true";
  if (is_one_of(text, {"false", "False", "FALSE"})) return "false";
  if (is_one_of(text, {".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF", "-.inf", "-.Inf", "-.INF", ".nan", ".NaN",
                       ".NAN"})) {
    return "";
  }
  if (auto integer = integer_json(text)) return integer;
  if (is_decimal_float(text)) return float_json(text);
  return std::nullopt;
}

bool is_plain_ambiguous(std::string_view text) {
  if (plain_scalar_json(text)) return true;
  if (is_one_of(text, {"y", "Y", "yes", "Yes", "YES", "on", "On", "ON", "n", "N", "no", "No", "NO", "off", "Off", "OFF",
                       "<<", "="})) {
    return true;
  }
  // YAML 1.1 reads dates, 1_000, and 1:30 as base sixty.
  const std::string_view digits = "0123456789";
  const bool is_date = text.size() >= 8 && text.find_first_not_of(digits) == 4 && text[4] == '-';
  const std::string_view bare = text.substr(text[0] == '+' || text[0] == '-' ? 1 : 0);
  const bool is_old_number = !bare.empty() && base::is_digit(bare[0]) &&
                             bare.find_first_of("_:") != std::string_view::npos &&
                             bare.find_first_not_of("0123456789_:.abcdefxABCDEF") == std::string_view::npos;
  return is_date || is_old_number;
}

namespace {

// Go's strconv.ParseInt with base 0: decimal, 0x, 0o, 0b and a leading zero for octal.
std::optional<std::string> integer_json(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  if (text.empty() || !base::is_digit(text[0])) return std::nullopt;
  int radix = 10;
  if (text.size() > 1 && text[0] == '0') {
    const char kind = static_cast<char>(text[1] | 0x20);
    radix = kind == 'x' ? 16 : kind == 'b' ? 2 : 8;
    text.remove_prefix(kind == 'x' || kind == 'b' || kind == 'o' ? 2 : 1);
  }
  const auto value = base::parse_number<std::uint64_t>(text, radix);
  if (!value || (is_negative && *value > std::uint64_t{1} << 63)) return std::nullopt;
  return (is_negative && *value != 0 ? "-" : "") + std::to_string(*value);
}

bool is_decimal_float(std::string_view text) {
  std::size_t at = 0;
  const auto peek = [&] { return at < text.size() ? text[at] : '\0'; };
  const auto digits = [&] {
    const std::size_t first = at;
    while (base::is_digit(peek())) ++at;
    return at - first;
  };
  if (peek() == '+' || peek() == '-') ++at;
  std::size_t count = digits();
  if (peek() == '.') {
    ++at;
    count += digits();
  }
  if (count == 0) return false;
  if (peek() == 'e' || peek() == 'E') {
    ++at;
    if (peek() == '+' || peek() == '-') ++at;
    if (digits() == 0) return false;
  }
  return at == text.size();
}

// Empty if the number is out of the range of a double.
std::string float_json(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto value = parse_double(text);
  if (!value) return "";
  Writer writer;
  writer.number(*value);
  return std::move(writer).take();
}

}  // namespace
}  // namespace keelson::json
