// UTF-8 as defined by RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace keelson::json {

// The length of the character at the start of the text; 0 if it is invalid.
[[nodiscard]] std::size_t utf8_length(std::string_view text);

[[nodiscard]] bool is_utf8(std::string_view text);

// The code point must be a Unicode scalar value.
void append_utf8(std::string& out, std::uint32_t code_point);

}  // namespace keelson::json
