#include "keelson/detail/base/base64.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "keelson/base/try.hpp"

namespace keelson::base {

namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t kNoDigit = 0xff;

constexpr std::array<std::uint8_t, 256> digits_of_bytes() {
  std::array<std::uint8_t, 256> digits{};
  digits.fill(kNoDigit);
  for (std::size_t i = 0; i < kAlphabet.size(); ++i) {
    digits[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::uint8_t>(i);
  }
  return digits;
}

constexpr auto kDigits = digits_of_bytes();

Error illegal_at(std::size_t offset) {
  return invalid_error("illegal base64 data at input byte " + std::to_string(offset));
}

bool is_line_break(char c) { return c == '\n' || c == '\r'; }

std::size_t skip_line_breaks(std::string_view text, std::size_t at) {
  while (at < text.size() && is_line_break(text[at])) ++at;
  return at;
}

void append_bytes(std::string& out, std::uint32_t group, std::size_t digits) {
  auto bits = group << (6 * (4 - digits));
  for (std::size_t i = 0; i + 1 < digits; ++i) out.push_back(static_cast<char>((bits >> (16 - 8 * i)) & 0xff));
}

// The '=' at `at` ends the text after 2 or 3 digits of a group; only the rest of the padding may follow.
Result<void> check_padding(std::string_view text, std::size_t at, std::size_t digits) {
  if (digits < 2) return illegal_at(at);
  auto next = at + 1;
  if (digits == 2) {
    next = skip_line_breaks(text, next);
    if (next == text.size()) return illegal_at(text.size());
    if (text[next] != '=') return illegal_at(next - 1);  // the offset that Go reports
    ++next;
  }
  next = skip_line_breaks(text, next);
  if (next != text.size()) return illegal_at(next);
  return {};
}

}  // namespace

std::string base64_encode(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      group = (group << 8) | (i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0U);
    }
    auto present = bytes.size() - i;
    for (std::size_t j = 0; j < 4; ++j) out.push_back(j <= present ? kAlphabet[(group >> (18 - 6 * j)) & 63] : '=');
  }
  return out;
}

Result<std::string> base64_decode(std::string_view text) {
  std::string out;
  out.reserve(text.size() / 4 * 3);
  std::uint32_t group = 0;
  std::size_t digits = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_line_break(text[i])) continue;
    if (text[i] == '=') {
      KEELSON_TRY(check_padding(text, i, digits));
      append_bytes(out, group, digits);
      return out;
    }
    auto digit = kDigits[static_cast<unsigned char>(text[i])];
    if (digit == kNoDigit) return illegal_at(i);
    group = (group << 6) | digit;
    if (++digits < 4) continue;
    append_bytes(out, group, digits);
    group = 0;
    digits = 0;
  }
  // For an incomplete group Go reports the offset at which it would have continued.
  if (digits != 0) return illegal_at(text.size() - digits);
  return out;
}

std::string base64url_encode(std::string_view bytes) {
  auto text = base64_encode(bytes);
  text.erase(text.find_last_not_of('=') + 1);
  std::ranges::replace(text, '+', '-');
  std::ranges::replace(text, '/', '_');
  return text;
}

std::optional<std::string> base64url_decode(std::string_view text) {
  if (text.find_first_of("+/=\r\n") != std::string_view::npos) return std::nullopt;
  std::string standard(text);
  std::ranges::replace(standard, '-', '+');
  std::ranges::replace(standard, '_', '/');
  standard.append((4 - standard.size() % 4) % 4, '=');
  auto bytes = base64_decode(standard);
  if (!bytes) return std::nullopt;
  return std::move(*bytes);
}

}  // namespace keelson::base
