// Texts with parts: words in the tables of this room, and the parts of paths and headers.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/detail/base/go_text.hpp"

namespace keelson::sandbox {

// The parts of a text, without empty ones. Views of `text`.
[[nodiscard]] std::vector<std::string_view> parts_of(std::string_view text, char separator);
// The words of a constant: "get list watch".
[[nodiscard]] std::vector<std::string> words_of(std::string_view text);
[[nodiscard]] bool has_word(std::string_view text, std::string_view word);

// `"a", "b"`.
template <class Texts>
[[nodiscard]] std::string quoted_words(const Texts& texts) {
  std::string list;
  for (const auto& text : texts) list += (list.empty() ? "" : ", ") + base::quote_go(text);
  return list;
}
// As Go prints an Aggregate of errors, each once: "a", or "[a, b]".
[[nodiscard]] std::string joined_errors(const std::vector<std::string>& errors);

template <class Range, class Value>
[[nodiscard]] bool contains(const Range& range, const Value& value) {
  return std::ranges::find(range, value) != std::ranges::end(range);
}

}  // namespace keelson::sandbox
