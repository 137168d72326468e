// The grammar of JSON, byte by byte: for scalars, strings, and containers that the masks of `Checker` do not handle.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace keelson::json {

inline constexpr std::size_t kNone = std::string_view::npos;

[[nodiscard]] constexpr bool is_space(char byte) { return byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r'; }

// Length of the number, true, false or null the text begins with; 0 when there is none, or when it runs on into
// something that does not end it.
[[nodiscard]] std::size_t scalar_length(std::string_view text);

// What stands between the quotes is a well-formed string.
[[nodiscard]] bool is_string_body(std::string_view body);

// The byte after a backslash, and what belongs to it: its length after the backslash, 0 when it is no escape.
// Surrogates must come as a pair, which counts as one escape.
[[nodiscard]] std::size_t escape_length(std::string_view after_backslash);

// Appends the decoded body; false, with `out` in between, when it is not well-formed.
[[nodiscard]] bool decode_string(std::string_view body, std::string& out);

// The end of the container that begins at `at`, or where it goes wrong.
struct Extent {
  std::size_t end = kNone;
  std::size_t error_at = 0;
};
[[nodiscard]] Extent check_container(std::string_view text, std::size_t at, std::size_t depth_left);

}  // namespace keelson::json
