#include "keelson/base/go_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>

#include "keelson/base/assert.hpp"
#include "keelson/base/hex.hpp"
#include "keelson/base/utf8.hpp"

namespace keelson::base {

namespace {

std::string with_format(double value, std::chars_format format) {
  // A double in fixed notation is at most 1 + 309 digits, or "-0." and 1074 digits.
  std::array<char, 1100> buffer;
  auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format);
  KEELSON_ASSERT(error == std::errc());
  return {buffer.data(), end};
}

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
  auto scientific = with_format(value, std::chars_format::scientific);
  int exponent = 0;
  const char* digits = scientific.data() + scientific.find('e') + 1;
  // from_chars takes no plus sign.
  if (*digits == '+') ++digits;
  std::from_chars(digits, scientific.data() + scientific.size(), exponent);
  if (exponent < -4 || exponent >= 6) return scientific;
  return with_format(value, std::chars_format::fixed);
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

}  // namespace keelson::base
