// Texts of a page within its limits, for each of its formats.
#pragma once

#include <string>
#include <string_view>

#include "keelson/detail/base/utf8.hpp"
#include "keelson/detail/zpages/page.hpp"

namespace keelson::zpages {

// At most limits::kPageTextBytes of `text`, and an ellipsis if it was longer.
[[nodiscard]] inline std::string shortened(std::string_view text, std::size_t bytes = limits::kPageTextBytes) {
  if (text.size() <= bytes) return std::string(text);
  return std::string(base::cut_utf8(text, bytes)) + "…";
}

[[nodiscard]] inline std::string more_rows(std::size_t rows) {
  return "and " + std::to_string(rows - limits::kPageRows) + " more";
}

}  // namespace keelson::zpages
