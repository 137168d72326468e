#include "keelson/detail/cli/values.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <string>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/hex.hpp"
#include "keelson/detail/base/text.hpp"

namespace keelson::cli {

namespace {

Error parse_error() { return invalid_error("parse error"); }
Error range_error() { return invalid_error("value out of range"); }

// Takes the base's prefix off the front of unsigned digits.
int take_base(std::string_view& digits) {
  if (digits.empty() || digits[0] != '0') return 10;
  auto letter = digits.size() >= 3 ? base::to_lower(digits.substr(1, 1)) : std::string();
  auto taken = std::size_t{letter == "b" || letter == "o" || letter == "x" ? 2u : 1u};
  digits.remove_prefix(taken);
  return letter == "b" ? 2 : letter == "x" ? 16 : 8;
}

bool is_hex_digit(char c) { return base::hex_value(c) >= 0; }

// Underscores are valid between digits, and between the prefix of a base and a digit.
bool underscores_are_placed_well(std::string_view unsigned_text) {
  bool prefixed = unsigned_text.size() >= 2 && unsigned_text[0] == '0' && !is_hex_digit(unsigned_text[1]) &&
                  unsigned_text[1] != '_';
  bool after_digit = prefixed;
  for (std::size_t i = prefixed ? 2 : 0; i < unsigned_text.size(); ++i) {
    if (unsigned_text[i] == '_' && !after_digit) return false;
    after_digit = unsigned_text[i] != '_';
  }
  return after_digit;
}

// from_chars accepts a minus sign and stops at the first invalid character: both are errors here.
Result<std::uint64_t> parse_magnitude(std::string_view digits, int base) {
  if (digits.empty()) return std::uint64_t{0};
  if (!is_hex_digit(digits[0])) return parse_error();
  std::uint64_t value = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (error == std::errc::result_out_of_range) return range_error();
  if (error != std::errc() || end != digits.data() + digits.size()) return parse_error();
  return value;
}

bool take_minus(std::string_view& text) {
  bool negative = !text.empty() && text[0] == '-';
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  return negative;
}

}  // namespace

Result<bool> parse_bool(std::string_view text) {
  constexpr auto kTrue = std::to_array<std::string_view>({"1", "t", "T", "TRUE", "true", "True"});
  constexpr auto kFalse = std::to_array<std::string_view>({"0", "f", "F", "FALSE", "false", "False"});
  if (std::ranges::find(kTrue, text) != kTrue.end()) return true;
  if (std::ranges::find(kFalse, text) != kFalse.end()) return false;
  return parse_error();
}

Result<std::int64_t> parse_int(std::string_view text) {
  bool negative = take_minus(text);
  if (text.empty() || !underscores_are_placed_well(text)) return parse_error();
  auto digits = text;
  int base = take_base(digits);
  std::string plain(digits);
  std::erase(plain, '_');
  KEELSON_LET(auto magnitude, parse_magnitude(plain, base));
  auto limit = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) + (negative ? 1 : 0);
  if (magnitude > limit) return range_error();
  return static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude);
}

Result<std::int64_t> parse_int(std::string_view text, std::int64_t least, std::int64_t most) {
  KEELSON_LET(const auto value, parse_int(text));
  if (value >= least && value <= most) return value;
  return invalid_error("must be between " + std::to_string(least) + " and " + std::to_string(most));
}

Result<std::chrono::nanoseconds> parse_duration(std::string_view text) {
  auto value = base::parse_go_duration(text);
  if (!value) return parse_error();
  return *value;
}

std::vector<std::string_view> split_list(std::string_view text) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    auto comma = std::min(text.find(','), text.size());
    auto part = text.substr(0, comma);
    text.remove_prefix(std::min(comma + 1, text.size()));
    auto first = std::min(part.find_first_not_of(" \t"), part.size());
    part.remove_prefix(first);
    part = part.substr(0, part.find_last_not_of(" \t") + 1);
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

}  // namespace keelson::cli
