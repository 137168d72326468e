// The grammar of JSON, byte by byte: for scalars, strings, and containers that the masks of `Checker` do not handle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "keelson/base/result.hpp"

namespace keelson::json {

inline constexpr std::size_t kNone = std::string_view::npos;

[[nodiscard]] constexpr bool is_space(char byte) { return byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r'; }

// The end of an error's text: " (at byte 7)".
[[nodiscard]] std::string at_byte(std::size_t offset);
// "JSON: expected a colon (at byte 7)".
[[nodiscard]] Error json_error(const std::string& reason, std::size_t offset);

// Bytes of a string that need more than copying: quotes, backslashes, control characters and those that are not ASCII.
[[nodiscard]] constexpr bool is_special(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == '"' || byte == '\\' || byte >= 0x80;
}
// True if one of eight bytes is special; rarely also for a byte above one of them.
[[nodiscard]] constexpr bool may_be_special(std::uint64_t eight_bytes) {
  const auto all = [](std::uint64_t byte) { return byte * 0x0101010101010101U; };
  const auto below = [&](std::uint64_t word, std::uint64_t limit) { return (word - all(limit)) & ~word; };
  const std::uint64_t found =
      eight_bytes | below(eight_bytes, 0x20) | below(eight_bytes ^ all('"'), 1) | below(eight_bytes ^ all('\\'), 1);
  return (found & all(0x80)) != 0;
}

// The length of the number, true, false or null at the start of the text; 0 if there is none, or if the next byte
// cannot follow it.
[[nodiscard]] std::size_t scalar_length(std::string_view text);

// True if `body`, the text between the quotes, is a well-formed string.
[[nodiscard]] bool is_string_body(std::string_view body);

// The length of an escape without its backslash; 0 if it is invalid.
// Surrogates must come as a pair, which counts as one escape.
[[nodiscard]] std::size_t escape_length(std::string_view after_backslash);

// Appends the decoded body. False if it is not well-formed; `out` is then unspecified.
[[nodiscard]] bool decode_string(std::string_view body, std::string& out);

// The end of the container that begins at `at`, or the offset of the error.
struct Extent {
  std::size_t end = kNone;
  std::size_t error_at = 0;
};
[[nodiscard]] Extent check_container(std::string_view text, std::size_t at, std::size_t depth_left);

}  // namespace keelson::json
