// Parts of a text: whether it has one, how often, and the text with another one instead.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <string>
#include <string_view>

namespace keelson::testing {

inline bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

inline std::size_t occurrences(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// The first occurrence of `part` is replaced; there must be one.
inline std::string replaced(std::string text, std::string_view part, std::string_view by) {
  const auto at = text.find(part);
  INFO("looking for " << part << " in " << text);
  REQUIRE(at != std::string::npos);
  return text.replace(at, part.size(), by);
}

}  // namespace keelson::testing
