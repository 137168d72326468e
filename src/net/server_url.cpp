#include "keelson/detail/base/text.hpp"
#include "keelson/detail/net/http_client.hpp"
#include "src/net/text.hpp"
#include "src/net/url_origin.hpp"

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
    parts.scheme = base::to_lower(url.substr(0, mark));
    url.remove_prefix(mark + 3);
  }
  parts.authority = before(url, '/');
  parts.path = url.substr(parts.authority.size());
  return parts;
}

}  // namespace

Result<ServerUrl> parse_server_url(std::string_view url, Scheme fallback) {
  if (!is_target(url) || url.empty()) return reject(is_header_value(url) ? url : "", "it is empty or contains a space");
  auto parts = split(url, fallback);
  if (parts.authority.find('@') != std::string_view::npos) {
    return invalid_error("invalid server URL: user information (user@host) is not supported");  // may hold a password
  }
  auto origin = origin_of(parts.scheme, parts.authority);
  if (!origin) return reject(url, origin.error().text);
  ServerUrl parsed{std::move(*origin), {}};
  while (parts.path.ends_with('/')) parts.path.remove_suffix(1);
  parsed.path_prefix = parts.path;
  return parsed;
}

}  // namespace keelson::net
