// A proxy between us and a server: where it is, and which servers are reached without it, by Go's rules (httpproxy).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "keelson/base/result.hpp"

namespace keelson::net {

struct Proxy {
  // Over HTTP and HTTPS a tunnel is asked for with CONNECT; the second is spoken to in TLS itself.
  enum class Kind { kHttp, kHttps, kSocks5 };
  Kind kind = Kind::kHttp;
  std::string host;  // name or address, IPv6 without brackets
  std::string port;
  struct User {
    std::string name;  // decoded, as the password is; may be empty beside one
    std::string password;
  };
  std::optional<User> user;
  std::string source;  // who told us to use it, for errors: "HTTPS_PROXY", "proxy-url of kubeconfig /…/config"

  // "https://me:xxxxx@proxy:3128", fit for a log.
  [[nodiscard]] std::string url() const;
};

// "http://user:password@proxy:3128"; schemes http, https, socks5 and socks5h (names are always looked up by the proxy).
// The usual port is that of the scheme: 80, 443, 1080. No error shows the user or password.
[[nodiscard]] Result<Proxy> parse_proxy_url(std::string_view url, std::string source);

// Whether `host` is to be reached directly: it is this machine, or a value of NO_PROXY names it. That is a comma list
// of names ("example.com" with all below it, ".example.com" and "*.example.com" only what is below), addresses, either
// with ":port", CIDR blocks, and "*" for everything. Entries that are none of these are skipped.
[[nodiscard]] bool bypasses_proxy(std::string_view no_proxy, std::string_view host, std::string_view port);

}  // namespace keelson::net
