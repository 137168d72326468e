#include "src/sandbox/requests/texts.hpp"

#include <set>

namespace keelson::sandbox {

std::vector<std::string_view> parts_of(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const auto part = text.substr(0, text.find(separator));
    if (!part.empty()) parts.push_back(part);
    text.remove_prefix(std::min(part.size() + 1, text.size()));
  }
  return parts;
}

std::vector<std::string> words_of(std::string_view text) {
  const auto words = parts_of(text, ' ');
  return {words.begin(), words.end()};
}

bool has_word(std::string_view text, std::string_view word) { return contains(parts_of(text, ' '), word); }

std::string joined_errors(const std::vector<std::string>& errors) {
  std::set<std::string_view> seen;
  std::string text;
  for (const auto& error : errors) {
    if (seen.insert(error).second) text += (text.empty() ? "" : ", ") + error;
  }
  return seen.size() > 1 ? "[" + text + "]" : text;
}

}  // namespace keelson::sandbox
