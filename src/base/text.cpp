#include "keelson/detail/base/text.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

namespace keelson::base {

std::string to_lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = to_lower(c);
  return lower;
}

std::string for_terminal(std::string text) {
  std::string shown;
  shown.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    // Unicode's further control characters, U+0080 to U+009F, which xterm executes too: in UTF-8 0xC2 and 0x80 to 0x9F.
    const bool is_further = text[i] == '\xC2' && i + 1 < text.size() && (text[i + 1] & '\xE0') == '\x80';
    if (is_further) ++i;
    shown += is_further || (is_control(text[i]) && text[i] != '\n') ? ' ' : text[i];
  }
  return shown;
}

std::string on_one_line(std::string text) {
  text = for_terminal(std::move(text));
  std::ranges::replace(text, '\n', ' ');
  return text;
}

std::string with_lower_first(std::string text) {
  if (!text.empty()) text[0] = to_lower(text[0]);
  return text;
}

std::string words_of_errno(int error_number) { return with_lower_first(std::generic_category().message(error_number)); }

std::string_view trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\n\v\f\r";
  auto first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string joined;
  for (const auto& part : parts) {
    if (&part != parts.data()) joined.append(separator);
    joined.append(part);
  }
  return joined;
}

}  // namespace keelson::base
