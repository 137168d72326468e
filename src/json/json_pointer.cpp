#include "keelson/detail/json/json_pointer.hpp"

#include "keelson/detail/base/parse_number.hpp"

namespace keelson::json {

std::optional<Pointer> parse_pointer(std::string_view text) {
  Pointer steps;
  if (text.empty()) return steps;
  if (text[0] != '/') return std::nullopt;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '/') {
      steps.emplace_back();
    } else if (text[at] != '~') {
      steps.back() += text[at];
    } else {
      ++at;
      if (at == text.size() || (text[at] != '0' && text[at] != '1')) return std::nullopt;
      steps.back() += text[at] == '0' ? '~' : '/';
    }
  }
  return steps;
}

std::string pointer_to(std::string_view pointer, std::string_view step) {
  std::string longer = std::string(pointer) + '/';
  for (const char byte : step) {
    if (byte == '~') {
      longer += "~0";
    } else if (byte == '/') {
      longer += "~1";
    } else {
      longer += byte;
    }
  }
  return longer;
}

std::optional<std::size_t> parse_index(std::string_view step) {
  if (step.empty() || (step.size() > 1 && step[0] == '0')) return std::nullopt;
  return base::parse_number<std::size_t>(step);
}

}  // namespace keelson::json
