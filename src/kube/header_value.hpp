// Checks the value of an HTTP header: no control characters except tab, so that a credential cannot add a header.
#pragma once

#include <string_view>

namespace keelson::kube {

[[nodiscard]] constexpr bool is_header_value(std::string_view text) {
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\t') || byte == 0x7f) return false;
  }
  return true;
}

}  // namespace keelson::kube
