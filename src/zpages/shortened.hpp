// Texts of a page within its limits, for each of its formats.
#pragma once

#include <string>
#include <string_view>

#include "keelson/base/utf8.hpp"
#include "keelson/zpages/limits.hpp"

namespace keelson::zpages {

// At most limits::kPageTextBytes of `text`, and an ellipsis if it was longer.
[[nodiscard]] inline std::string shortened(std::string_view text, std::size_t bytes = limits::kPageTextBytes) {
  if (text.size() <= bytes) return std::string(text);
  // Not within a UTF-8 sequence.
  while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0U) == 0x80U) --bytes;
  return std::string(text.substr(0, bytes)) + "…";
}

[[nodiscard]] inline std::string more_rows(std::size_t rows) {
  return "and " + std::to_string(rows - limits::kPageRows) + " more";
}

}  // namespace keelson::zpages
