// Hexadecimal digits: writing a number or bytes, and reading a digit.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace keelson::base {

enum class HexLetters { kLower, kUpper };

// Appends the lowest `digits` digits of `value`, with leading zeros: 0x2a with 4 digits is "002a".
inline void append_hex(std::string& out, std::uint64_t value, int digits, HexLetters letters = HexLetters::kLower) {
  constexpr std::string_view kLower = "0123456789abcdef";
  constexpr std::string_view kUpper = "0123456789ABCDEF";
  const auto alphabet = letters == HexLetters::kLower ? kLower : kUpper;
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) out.push_back(alphabet[(value >> shift) & 0xf]);
}

// The bytes of a container, such as a digest, with two digits each.
template <class Bytes>
[[nodiscard]] std::string to_hex(const Bytes& bytes, HexLetters letters = HexLetters::kLower) {
  std::string text;
  for (const std::uint8_t byte : bytes) append_hex(text, byte, 2, letters);
  return text;
}

// The value of a digit with a letter of any case; -1 for any other character.
[[nodiscard]] constexpr int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

}  // namespace keelson::base
