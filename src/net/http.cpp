#include "keelson/net/http.hpp"

#include <algorithm>

#include "keelson/base/text.hpp"
#include "src/net/text.hpp"

namespace keelson::net {

std::string_view header(const Headers& headers, std::string_view name) {
  for (const auto& [key, value] : headers) {
    if (equal_ignoring_case(key, name)) return value;
  }
  return {};
}

bool is_header_value(std::string_view text) {
  auto allowed = [](char c) { return c == '\t' || !base::is_control(c); };
  return std::all_of(text.begin(), text.end(), allowed);
}

}  // namespace keelson::net
