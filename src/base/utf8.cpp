#include "keelson/detail/base/utf8.hpp"

#include <cstring>

namespace keelson::base {

std::size_t first_rune_bytes(std::string_view text) {
  if (text.empty()) return 0;
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4) return 0;

  const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (text.size() < length) return 0;
  // The second byte carries the bounds: overlong forms below, surrogates and U+110000 above.
  const unsigned char low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const unsigned char high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  if (byte(1) < low || byte(1) > high) return 0;
  for (std::size_t at = 2; at < length; ++at) {
    if ((byte(at) & 0xC0) != 0x80) return 0;
  }
  return length;
}

Rune first_rune(std::string_view text) {
  const auto bytes = first_rune_bytes(text);
  if (bytes == 0) return {};
  const auto byte = [&](std::size_t at) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[at])); };
  if (bytes == 1) return {1, byte(0)};
  std::uint32_t code_point = byte(0) & (0xFFu >> (bytes + 1));
  for (std::size_t at = 1; at < bytes; ++at) code_point = (code_point << 6) | (byte(at) & 0x3F);
  return {bytes, code_point};
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    // Most text is ASCII, eight bytes at a time.
    std::uint64_t word = 0;
    if (text.size() >= sizeof word) {
      std::memcpy(&word, text.data(), sizeof word);
      if ((word & 0x8080808080808080U) == 0) {
        text.remove_prefix(sizeof word);
        continue;
      }
    }
    const std::size_t length = first_rune_bytes(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

void append_utf8(std::string& out, std::uint32_t code_point) {
  const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (code_point < 0x80) {
    put(code_point);
  } else if (code_point < 0x800) {
    put(0xC0 | (code_point >> 6));
    put(0x80 | (code_point & 0x3F));
  } else if (code_point < 0x10000) {
    put(0xE0 | (code_point >> 12));
    put(0x80 | ((code_point >> 6) & 0x3F));
    put(0x80 | (code_point & 0x3F));
  } else {
    put(0xF0 | (code_point >> 18));
    put(0x80 | ((code_point >> 12) & 0x3F));
    put(0x80 | ((code_point >> 6) & 0x3F));
    put(0x80 | (code_point & 0x3F));
  }
}

std::string_view cut_utf8(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  constexpr std::size_t kContinuations = 3;  // at most, in one character
  const auto begins_character = [&](std::size_t at) { return (static_cast<unsigned char>(text[at]) & 0xC0U) != 0x80U; };
  for (std::size_t back = 0; back <= kContinuations && back <= bytes; ++back) {
    if (begins_character(bytes - back)) return text.substr(0, bytes - back);
  }
  return text.substr(0, bytes);
}

std::string to_valid_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto bytes = first_rune_bytes(text);
    out.append(bytes == 0 ? "\ufffd" : text.substr(0, bytes));
    text.remove_prefix(bytes == 0 ? 1 : bytes);
  }
  return out;
}

}  // namespace keelson::base
