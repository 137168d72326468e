#include "keelson/detail/base/go_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "keelson/detail/base/hex.hpp"
#include "keelson/detail/base/utf8.hpp"

namespace keelson::base {

namespace {

// The shortest decimal number that is read as the same double: d.ddd × 10^exponent, without zeros at the end.
struct Decimal {
  bool negative = false;
  std::string digits;
  int exponent = 0;
};

Decimal decimal_of(double value);

// unicode.IsPrint, except that unassigned code points and the format characters of a few old scripts count as
// printable.
bool is_printable(std::uint32_t code_point) {
  struct Range {
    std::uint32_t first, last;
  };
  constexpr Range kUnprintable[] = {{0x00, 0x1F},     {0x7F, 0xA0},     {0xAD, 0xAD},     {0x1680, 0x1680},
                                    {0x2000, 0x200F}, {0x2028, 0x202F}, {0x205F, 0x206F}, {0x3000, 0x3000},
                                    {0xE000, 0xF8FF}, {0xFEFF, 0xFEFF}, {0xFFF0, 0xFFFB}, {0xF0000, 0x10FFFF}};
  return std::none_of(std::begin(kUnprintable), std::end(kUnprintable),
                      [&](Range range) { return code_point >= range.first && code_point <= range.last; });
}

void append_quoted_rune(std::string& out, std::string_view bytes, std::uint32_t code_point) {
  constexpr std::string_view kEscaped = "\a\b\f\n\r\t\v\\\"";
  constexpr std::string_view kLetters = "abfnrtv\\\"";
  auto at = bytes.size() == 1 ? kEscaped.find(bytes[0]) : std::string_view::npos;
  if (at != std::string_view::npos) {
    out.push_back('\\');
    out.push_back(kLetters[at]);
  } else if (is_printable(code_point)) {
    out.append(bytes);
  } else if (code_point < 0x80) {
    out.append("\\x");
    append_hex(out, code_point, 2);
  } else {
    out.append(code_point < 0x10000 ? "\\u" : "\\U");
    append_hex(out, code_point, code_point < 0x10000 ? 4 : 8);
  }
}

}  // namespace

std::string format_go_number(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  const auto exponent = decimal_of(value).exponent;
  return exponent < -4 || exponent >= 6 ? format_go_exponent(value) : format_go_fixed(value);
}

std::string format_go_fixed(double value) {
  const auto [negative, digits, exponent] = decimal_of(value);
  std::string out = negative ? "-" : "";
  const auto count = static_cast<int>(digits.size());
  if (exponent < 0) {
    out.append("0.").append(static_cast<std::size_t>(-exponent - 1), '0').append(digits);
  } else if (count <= exponent + 1) {
    out.append(digits).append(static_cast<std::size_t>(exponent + 1 - count), '0');
  } else {
    const auto whole = static_cast<std::size_t>(exponent + 1);
    out.append(digits, 0, whole).append(".").append(digits, whole);
  }
  return out;
}

std::string format_go_exponent(double value) {
  const auto [negative, digits, exponent] = decimal_of(value);
  std::string out = negative ? "-" : "";
  out.push_back(digits[0]);
  if (digits.size() > 1) out.append(".").append(digits, 1);
  out.append(exponent < 0 ? "e-" : "e+");
  const auto size = std::to_string(std::abs(exponent));
  return out.append(size.size() < 2 ? "0" : "").append(size);
}

std::string quote_go(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    auto rune = first_rune(text);
    if (rune.bytes == 0) {
      out.append("\\x");
      append_hex(out, static_cast<unsigned char>(text[0]), 2);
    } else {
      append_quoted_rune(out, text.substr(0, rune.bytes), rune.code_point);
    }
    text.remove_prefix(std::max<std::size_t>(rune.bytes, 1));
  }
  out.push_back('"');
  return out;
}

namespace {

// "-d.ddde-dd" of printf.
Decimal parse_scientific(const char* text) {
  Decimal decimal;
  decimal.negative = *text == '-';
  if (decimal.negative) ++text;
  // The decimal separator is skipped.
  for (; *text != 'e'; ++text) {
    if (*text >= '0' && *text <= '9') decimal.digits.push_back(*text);
  }
  decimal.exponent = std::atoi(text + 1);
  return decimal;
}

// printf rounds to the nearest number with so many digits. Below a power of two, doubles are closer than above it, so
// that number may be too far below the double, and the next one is near enough.
bool increment_last_digit(char* text, double value) {
  char* last = std::strchr(text, 'e') - 1;
  if (*last == '9') return false;
  ++*last;
  return std::strtod(text, nullptr) == value;
}

// A table-driven algorithm, such as Ryu in std::to_chars, is faster but needs 120 KB of tables. Metrics are mostly
// whole numbers, which need neither.
Decimal decimal_of(double value) {
  constexpr double kExactIntegers = 9007199254740992;  // 2^53
  Decimal decimal;
  if (value == std::trunc(value) && std::fabs(value) <= kExactIntegers) {
    decimal.negative = std::signbit(value);
    decimal.digits = std::to_string(static_cast<std::int64_t>(std::fabs(value)));
    decimal.exponent = static_cast<int>(decimal.digits.size()) - 1;
  } else {
    std::array<char, 32> text;
    // A decimal number of 15 digits survives as a double, except as a subnormal one, and 17 digits identify each
    // double.
    int digits = std::fabs(value) < std::numeric_limits<double>::min() ? 1 : 15;
    for (;; ++digits) {
      std::snprintf(text.data(), text.size(), "%.*e", digits - 1, value);
      if (digits == 17 || std::strtod(text.data(), nullptr) == value) break;
      if (digits == 16 && increment_last_digit(text.data(), value)) break;
    }
    decimal = parse_scientific(text.data());
  }
  const auto last = decimal.digits.find_last_not_of('0');
  decimal.digits.resize(last == std::string::npos ? 1 : last + 1);
  return decimal;
}

}  // namespace

}  // namespace keelson::base
