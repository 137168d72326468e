// UTF-8 of texts from outside the process: decoding a code point, and replacing invalid bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace keelson::base {

// The first code point of a text and its length.
struct Rune {
  std::size_t bytes = 0;  // 0: no well-formed sequence starts here
  std::uint32_t code_point = 0;
};

// Overlong forms, surrogates and code points beyond U+10FFFF are not well-formed, as in Go. An empty text has no rune:
// `bytes` is 0.
[[nodiscard]] Rune first_rune(std::string_view text);

// `text` with U+FFFD for every byte that is not part of a well-formed sequence.
[[nodiscard]] std::string to_valid_utf8(std::string_view text);

}  // namespace keelson::base
