#include "keelson/net/http.hpp"

#include <algorithm>
#include <utility>

#include "keelson/detail/base/text.hpp"
#include "src/net/text.hpp"

namespace keelson::net {

Response text_response(int status, std::string body) {
  return {
      status, {{"Content-Type", "text/plain; charset=utf-8"}, {"X-Content-Type-Options", "nosniff"}}, std::move(body)};
}

Response not_found_response() { return text_response(404, "404 page not found\n"); }

std::string_view header(const Headers& headers, std::string_view name) {
  for (const auto& [key, value] : headers) {
    if (equal_ignoring_case(key, name)) return value;
  }
  return {};
}

bool is_header_value(std::string_view text) {
  auto allowed = [](char c) { return c == '\t' || !base::is_control(c); };
  return std::ranges::all_of(text, allowed);
}

}  // namespace keelson::net
