// Lower case, trimming and joining of plain text, without a locale: only ASCII letters have a case.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace keelson::base {

// 'A' to 'Z' become 'a' to 'z'; all other bytes stay, so UTF-8 stays intact.
[[nodiscard]] constexpr char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
[[nodiscard]] std::string to_lower(std::string_view text);

[[nodiscard]] constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
// The control characters of ASCII: 0x00 to 0x1F and 0x7F.
[[nodiscard]] constexpr bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

// `text` with a blank for each control character except line breaks, for terminals: texts of a cluster may contain
// escape sequences. `on_one_line()` replaces line breaks, too.
[[nodiscard]] std::string for_terminal(std::string text);
[[nodiscard]] std::string on_one_line(std::string text);

// `text` with its first letter in lower case.
[[nodiscard]] std::string with_lower_first(std::string text);
// The C library's message for an `errno`, as Go prints it: "connection refused".
[[nodiscard]] std::string words_of_errno(int error_number);

// `text` without ASCII white space at both ends: token and namespace files end with a newline. A view of `text`.
[[nodiscard]] std::string_view trim(std::string_view text);

// The parts with `separator` between them, also between empty parts.
[[nodiscard]] std::string join(const std::vector<std::string>& parts, std::string_view separator);

}  // namespace keelson::base
