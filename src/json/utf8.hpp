// UTF-8 as RFC 3629 has it: no overlong forms, no surrogates, nothing above U+10FFFF.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace keelson::json {

// Bytes of the character the text begins with, 0 when it is not one.
[[nodiscard]] std::size_t utf8_length(std::string_view text);

[[nodiscard]] bool is_utf8(std::string_view text);

// The code point must be a Unicode scalar value.
void append_utf8(std::string& out, std::uint32_t code_point);

}  // namespace keelson::json
