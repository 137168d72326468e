// UTF-8 for texts that come from outside: what is well-formed, and how to make it so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace keelson::base {

struct Rune {
  std::size_t bytes = 0;  // 0: no well-formed sequence starts here
  std::uint32_t code_point = 0;
};

// Overlong forms, surrogates and code points beyond U+10FFFF are not well-formed, as in Go.
[[nodiscard]] Rune first_rune(std::string_view text);

// `text` with U+FFFD for every byte that belongs to no well-formed sequence.
[[nodiscard]] std::string to_valid_utf8(std::string_view text);

}  // namespace keelson::base
