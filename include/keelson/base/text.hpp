// Letters, spaces and lists in plain text, without a locale: only ASCII letters have a case.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace keelson::base {

[[nodiscard]] constexpr char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
[[nodiscard]] std::string to_lower(std::string_view text);

[[nodiscard]] constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The C library's words for an error as Go prints them: "connection refused".
[[nodiscard]] std::string with_lower_first(std::string text);
[[nodiscard]] std::string words_of_errno(int error_number);

// Without the white space around it, as strings.TrimSpace leaves it: token and namespace files end in newlines.
[[nodiscard]] std::string_view trim(std::string_view text);

[[nodiscard]] std::string join(const std::vector<std::string>& parts, std::string_view separator);

}  // namespace keelson::base
