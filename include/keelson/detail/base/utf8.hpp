// UTF-8 of texts from outside the process: decoding a code point, replacing invalid bytes, and cutting long texts.
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

// The bytes of the first rune without its code point, which is faster; 0 if no well-formed sequence starts here.
[[nodiscard]] std::size_t first_rune_bytes(std::string_view text);

[[nodiscard]] bool is_utf8(std::string_view text);

// The code point must be a Unicode scalar value: at most U+10FFFF and no surrogate.
void append_utf8(std::string& out, std::uint32_t code_point);

// The characters of `text` that fit whole into `bytes` bytes; all of `text` if it is not longer. If no character begins
// in the last bytes before the limit, the text is not UTF-8 and is cut at the limit.
[[nodiscard]] std::string_view cut_utf8(std::string_view text, std::size_t bytes);

// `text` with U+FFFD for every byte that is not part of a well-formed sequence.
[[nodiscard]] std::string to_valid_utf8(std::string_view text);

}  // namespace keelson::base
