#include "keelson/net/http.hpp"

#include "src/net/text.hpp"

namespace keelson::net {

std::string_view header(const Headers& headers, std::string_view name) {
  for (const auto& [key, value] : headers) {
    if (equal_ignoring_case(key, name)) return value;
  }
  return {};
}

}  // namespace keelson::net
