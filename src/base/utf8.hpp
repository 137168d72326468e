// One step of UTF-8: how long the well-formed sequence at the front of a text is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace keelson::base {

struct Rune {
  std::size_t bytes = 0;  // 0: no well-formed sequence starts here
  std::uint32_t code_point = 0;
};

// Overlong forms, surrogates and code points beyond U+10FFFF are not well-formed, as in Go.
[[nodiscard]] Rune first_rune(std::string_view text);

}  // namespace keelson::base
