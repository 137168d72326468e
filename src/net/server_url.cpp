#include "keelson/base/text.hpp"
#include "keelson/net/http_client.hpp"
#include "src/net/host_port.hpp"
#include "src/net/text.hpp"

namespace keelson::net {

namespace {

struct Parts {
  std::string scheme;
  std::string_view authority;
  std::string_view path;
};

Error reject(std::string_view url, const std::string& why) {
  return invalid_error("invalid server URL \"" + std::string(url) + "\": " + why);
}

std::string_view before(std::string_view text, char end) { return text.substr(0, text.find(end)); }

// Query and fragment are dropped, as clientcmd does. Without a scheme the rest is taken as "host:port/path".
Parts split(std::string_view url, Scheme fallback) {
  Parts parts;
  url = before(before(url, '#'), '?');
  auto mark = url.find("://");
  if (mark == std::string_view::npos) {
    parts.scheme = fallback == Scheme::kHttps ? "https" : "http";
  } else {
    for (char c : url.substr(0, mark)) parts.scheme += base::to_lower(c);
    url.remove_prefix(mark + 3);
  }
  parts.authority = before(url, '/');
  parts.path = url.substr(parts.authority.size());
  return parts;
}

// "fe80::1%25eth0": in a URL the percent sign before a zone is encoded.
std::string decode_zone(std::string host) {
  auto zone = host.find("%25");
  if (zone != std::string::npos) host.erase(zone + 1, 2);
  return host;
}

bool is_port(std::string_view port) {
  auto number = parse_port(port);
  return number && *number > 0;
}

}  // namespace

Result<ServerUrl> parse_server_url(std::string_view url, Scheme fallback) {
  if (!is_target(url) || url.empty()) return reject(is_header_value(url) ? url : "", "it is empty or contains a space");
  auto parts = split(url, fallback);
  if (parts.authority.find('@') != std::string_view::npos) {
    return invalid_error("invalid server URL: user information (user@host) is not supported");  // may hold a password
  }
  if (parts.scheme != "http" && parts.scheme != "https") {
    return reject(url, "unsupported protocol scheme \"" + parts.scheme + "\"");
  }
  auto host_port = split_host_port(parts.authority, Port::kOptional);
  if (!host_port) return reject(url, host_port.error().text);

  ServerUrl parsed;
  parsed.origin.tls = parts.scheme == "https";
  parsed.origin.host = host_port->bracketed ? decode_zone(host_port->host) : host_port->host;
  parsed.origin.port = host_port->port;
  if (parsed.origin.port.empty()) parsed.origin.port = parsed.origin.tls ? "443" : "80";
  if (!is_port(parsed.origin.port)) return reject(url, "invalid port \"" + parsed.origin.port + "\"");
  bool named = host_port->bracketed ? is_ipv6(parsed.origin.host) : is_host_name(parsed.origin.host);
  if (!named) return reject(url, "invalid host \"" + parsed.origin.host + "\"");
  while (parts.path.ends_with('/')) parts.path.remove_suffix(1);
  parsed.path_prefix = parts.path;
  return parsed;
}

}  // namespace keelson::net
