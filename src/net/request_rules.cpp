#include "src/net/request_rules.hpp"

#include <algorithm>

#include "src/net/text.hpp"

namespace keelson::net {

namespace {

// The check of golang.org/x/net/http/httpguts.ValidHostHeader.
bool is_host_byte(char c) {
  bool is_alphanumeric = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return is_alphanumeric || (c != '\0' && std::string_view("!$%&()*+,-.:;=[']_~").find(c) != std::string_view::npos);
}

}  // namespace

std::optional<Rejection> reject_by_header(const Headers& headers, HttpVersion version) {
  int hosts = 0;
  for (const auto& [name, value] : headers) {
    if (equal_ignoring_case(name, "Host")) {
      ++hosts;
      if (!std::ranges::all_of(value, is_host_byte)) return Rejection{400, "malformed Host header"};
    } else if (equal_ignoring_case(name, "Expect")) {
      if (!value.empty() && !equal_ignoring_case(value, "100-continue")) return Rejection{417, "unknown expectation"};
    }
  }
  if (hosts > 1) return Rejection{400, "too many Host headers"};
  if (hosts == 0 && version == HttpVersion::k11) return Rejection{400, "missing required Host header"};
  return std::nullopt;
}

}  // namespace keelson::net
