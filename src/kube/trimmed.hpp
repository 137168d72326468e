// Text without the white space around it, as strings.TrimSpace leaves it: token and namespace files end in newlines.
#pragma once

#include <string_view>

namespace keelson::kube {

[[nodiscard]] constexpr std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\n\v\f\r";
  auto first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

}  // namespace keelson::kube
