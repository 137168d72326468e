// Hexadecimal digits: writing a number or bytes, and reading a digit.
//
// They depend on no locale, unlike those of <cctype> and <iomanip>. Nothing fails: a reader checks for -1.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace keelson::base {

// Kubernetes and Go write lower case. Upper case is for formats that require it, such as percent-encoding and ETags.
enum class HexLetters { kLower, kUpper };

// Appends the lowest `digits` digits of `value`, with leading zeros: 0x2a with 4 digits is "002a". Higher
// digits are dropped: 0x12a with 2 digits is "2a". At most 16 digits.
inline void append_hex(std::string& out, std::uint64_t value, int digits, HexLetters letters = HexLetters::kLower) {
  constexpr std::string_view kLower = "0123456789abcdef";
  constexpr std::string_view kUpper = "0123456789ABCDEF";
  const auto alphabet = letters == HexLetters::kLower ? kLower : kUpper;
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) out.push_back(alphabet[(value >> shift) & 0xf]);
}

// The bytes of a container, such as a digest, with two digits each, the first byte first; "" for none.
//
// `Bytes` is a range of unsigned bytes: a std::array of a hash function, a std::vector, a std::span.
template <class Bytes>
[[nodiscard]] std::string to_hex(const Bytes& bytes, HexLetters letters = HexLetters::kLower) {
  std::string text;
  for (const std::uint8_t byte : bytes) append_hex(text, byte, 2, letters);
  return text;
}

// The value of a digit with a letter of any case; -1 for any other character. It can be evaluated at compile
// time.
[[nodiscard]] constexpr int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

}  // namespace keelson::base
