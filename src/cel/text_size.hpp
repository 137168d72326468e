// The size of a text, which is what size() returns.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "keelson/detail/cel/value.hpp"

namespace keelson::cel {

// The characters of a text.
[[nodiscard]] inline std::int64_t rune_length(std::string_view text) {
  return std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
}

// The characters of a string, the bytes of other texts.
[[nodiscard]] inline std::uint64_t text_size(const Value& value) {
  return value.is(Value::Kind::kString) ? static_cast<std::uint64_t>(rune_length(value.text())) : value.text().size();
}

}  // namespace keelson::cel
