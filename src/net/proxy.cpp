#include "keelson/detail/net/proxy.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/percent_encoding.hpp"
#include "keelson/detail/base/text.hpp"
#include "src/net/host_port.hpp"
#include "src/net/text.hpp"

namespace keelson::net {

namespace {

constexpr const char* kUnencoded = "encode / ? # in a password as %2F %3F %23";

struct SchemeRow {
  std::string_view name;
  Proxy::Kind kind;
  const char* port;
};
constexpr std::array<SchemeRow, 4> kSchemes{{{"http", Proxy::Kind::kHttp, "80"},
                                             {"https", Proxy::Kind::kHttps, "443"},
                                             {"socks5", Proxy::Kind::kSocks5, "1080"},
                                             {"socks5h", Proxy::Kind::kSocks5, "1080"}}};

bool is_scheme(std::string_view text) {
  return std::ranges::all_of(
      text, [](char c) { return (c >= 'a' && c <= 'z') || base::is_digit(c) || c == '+' || c == '-' || c == '.'; });
}

// The limits of RFC 1929: a length is a byte, and the name is not empty.
bool fits_socks(const Proxy::User& user) {
  return !user.name.empty() && user.name.size() <= 255 && user.password.size() <= 255;
}

Result<void> set_user(std::string_view userinfo, Proxy& proxy) {
  auto colon = std::min(userinfo.find(':'), userinfo.size());
  auto name = base::percent_decode(userinfo.substr(0, colon));
  auto password = base::percent_decode(userinfo.substr(std::min(colon + 1, userinfo.size())));
  if (!name || !password) {
    return invalid_error("the user or password has an invalid percent-encoding; encode '%' as %25");
  }
  proxy.user = {std::move(*name), std::move(*password)};
  if (proxy.kind == Proxy::Kind::kSocks5 && !fits_socks(*proxy.user)) {
    return invalid_error("SOCKS requires a user of 1 to 255 bytes and a password of at most 255 bytes");
  }
  return {};
}

Result<void> set_address(std::string_view address, Proxy& proxy) {
  KEELSON_LET(auto parts, parse_authority(address, proxy.port));
  proxy.host = std::move(parts.host);
  proxy.port = std::move(parts.port);
  return {};
}

}  // namespace

std::string Proxy::url() const {
  const char* scheme = kind == Kind::kHttp ? "http" : kind == Kind::kHttps ? "https" : "socks5";
  auto shown_user = !user ? "" : user->name + (user->password.empty() ? "@" : ":xxxxx@");
  return std::string(scheme) + "://" + shown_user + join_host_port(host, port);
}

Result<Proxy> parse_proxy_url(std::string_view url, std::string source) {
  Proxy proxy;
  auto mark = url.find("://");
  auto scheme = base::to_lower(url.substr(0, mark));
  const auto* row = std::ranges::find_if(kSchemes, [&](const auto& known) { return known.name == scheme; });
  if (mark == std::string_view::npos || row == kSchemes.end()) {
    // A text that is not a scheme may be a user and the beginning of a password: the error must not contain it.
    auto found = mark != std::string_view::npos && is_scheme(scheme) ? scheme : "";
    return invalid_error(source + ": unsupported scheme " + base::quote_go(found) + ", must be http, https, or socks5");
  }
  proxy.kind = row->kind;
  proxy.port = row->port;
  auto authority = url.substr(mark + 3);
  auto end = std::min(authority.find_first_of("/?#"), authority.size());
  // The password is not encoded: the text before its '/' would be parsed as a host and appear in the error.
  if (authority.find('@', end) != std::string_view::npos) return invalid_error(source + ": " + kUnencoded);
  authority = authority.substr(0, end);
  auto at = authority.rfind('@');
  if (at != std::string_view::npos) {
    auto user_set = set_user(authority.substr(0, at), proxy);
    if (!user_set) return std::move(user_set.error()).with_context(source);
  }
  auto address_set = set_address(authority.substr(at + 1), proxy);  // npos + 1 is the beginning
  if (!address_set) return std::move(address_set.error()).with_context(source);
  proxy.source = std::move(source);
  return proxy;
}

Result<std::optional<Proxy>> proxy_from_environment(const std::function<std::string(const std::string&)>& variable,
                                                    bool tls, const std::string& host, const std::string& port) {
  const auto either = [&variable](std::string name) {
    auto value = variable(name);
    if (!value.empty()) return std::pair(std::move(name), std::move(value));
    name = base::to_lower(name);
    value = variable(name);
    return std::pair(std::move(name), std::move(value));
  };
  auto [name, url] = either(tls ? "HTTPS_PROXY" : "HTTP_PROXY");
  if (url.empty() || bypasses_proxy(either("NO_PROXY").second, host, port)) return std::optional<Proxy>();
  if (url.find("://") == std::string::npos) url.insert(0, "http://");
  auto proxy = parse_proxy_url(url, name);
  if (proxy) return std::optional<Proxy>(std::move(*proxy));
  proxy.error().text += "; correct it, or add " + host + " to NO_PROXY";
  return std::move(proxy).error();
}

}  // namespace keelson::net
