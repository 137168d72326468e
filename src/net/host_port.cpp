#include "src/net/host_port.hpp"

#include <arpa/inet.h>

#include <algorithm>

#include "keelson/detail/base/parse_number.hpp"
#include "keelson/detail/base/text.hpp"
#include "src/net/text.hpp"

namespace keelson::net {

Result<HostPort> split_host_port(std::string_view text, Port port) {
  HostPort parts;
  std::string_view rest;
  if (text.starts_with('[')) {
    auto end = text.find(']');
    if (end == std::string_view::npos) return invalid_error("missing ']' in address");
    parts.host = text.substr(1, end - 1);
    parts.bracketed = true;
    rest = text.substr(end + 1);
    if (!rest.empty() && rest[0] != ':') return invalid_error("missing port in address");
  } else {
    auto colon = std::min(text.find(':'), text.size());
    parts.host = text.substr(0, colon);
    rest = text.substr(colon);
  }
  if (rest.empty()) {
    if (port == Port::kRequired) return invalid_error("missing port in address");
    return parts;
  }
  parts.port = rest.substr(1);
  if (parts.port.find(':') != std::string::npos) return invalid_error("too many colons in address");
  if (parts.port.find_first_of("[]") != std::string::npos) return invalid_error("unexpected bracket in address");
  if (parts.host.find_first_of("[]") != std::string::npos) return invalid_error("unexpected bracket in address");
  return parts;
}

std::optional<std::uint16_t> parse_port(std::string_view text) { return base::parse_number<std::uint16_t>(text); }

bool is_host_name(std::string_view text) {
  auto allowed = [](char c) {
    return base::is_digit(c) || (base::to_lower(c) >= 'a' && base::to_lower(c) <= 'z') || c == '.' || c == '-' ||
           c == '_';
  };
  return !text.empty() && std::ranges::all_of(text, allowed);
}

bool is_ipv6(const std::string& text) {
  auto zone = text.find('%');
  if (zone != std::string::npos && !is_host_name(std::string_view(text).substr(zone + 1))) return false;
  in6_addr address{};
  return ::inet_pton(AF_INET6, text.substr(0, zone).c_str(), &address) == 1;
}

}  // namespace keelson::net
