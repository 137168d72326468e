#include "src/net/host_port.hpp"

#include <arpa/inet.h>

#include <algorithm>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/go_text.hpp"
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

Result<HostPort> parse_authority(std::string_view text, std::string_view default_port) {
  KEELSON_LET(auto parts, split_host_port(text, Port::kOptional));
  if (parts.port.empty()) parts.port = default_port;
  const auto port = parse_port(parts.port);
  if (!port || *port == 0) return invalid_error("invalid port " + base::quote_go(parts.port));
  const auto zone = parts.bracketed ? parts.host.find("%25") : std::string::npos;
  if (zone != std::string::npos) parts.host.erase(zone + 1, 2);
  const bool is_named = parts.bracketed ? is_ipv6(parts.host) : is_host_name(parts.host);
  if (!is_named) return invalid_error("invalid host " + base::quote_go(parts.host));
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

std::string without_zone(std::string_view host) { return std::string(host.substr(0, host.find('%'))); }

bool is_ipv6(const std::string& text) {
  auto zone = text.find('%');
  if (zone != std::string::npos && !is_host_name(std::string_view(text).substr(zone + 1))) return false;
  in6_addr address{};
  return ::inet_pton(AF_INET6, text.substr(0, zone).c_str(), &address) == 1;
}

}  // namespace keelson::net
