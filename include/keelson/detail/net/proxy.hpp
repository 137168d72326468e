// Proxies: the URL of a proxy, and the rules of NO_PROXY by which servers are reached directly, as in Go (httpproxy).
//
// Room kubeconfig decides which proxy applies to the API server (kubeconfig, HTTPS_PROXY), and url_client.hpp to other
// servers (HTTPS_PROXY); http_client.hpp connects through it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "keelson/base/result.hpp"

namespace keelson::net {

struct Proxy {
  // kHttp and kHttps open a tunnel with CONNECT; the connection to a kHttps proxy is itself encrypted. A server without
  // TLS is reached by forwarding instead, as in Go: the proxy then reads the requests, with their tokens.
  enum class Kind { kHttp, kHttps, kSocks5 };
  Kind kind = Kind::kHttp;
  std::string host;  // name or address, IPv6 without brackets
  std::string port;
  struct User {
    std::string name;      // decoded; may be empty if there is a password
    std::string password;  // decoded; empty: none
  };
  std::optional<User> user;
  std::string source;  // the setting to correct, for errors: "HTTPS_PROXY", "proxy-url of kubeconfig /…/config"

  // "https://me:xxxxx@proxy:3128": without the password, safe for logs.
  [[nodiscard]] std::string url() const;
};

// Parses "http://user:password@proxy:3128". The schemes are http, https, socks5 and socks5h; the last two are the same,
// because the proxy always resolves host names. The default ports are 80, 443 and 1080. Errors are kInvalid; they name
// `source` and never contain the user or password.
[[nodiscard]] Result<Proxy> parse_proxy_url(std::string_view url, std::string source);

// Whether `host` is reached directly: "localhost" and loopback addresses always are, and so is each host that
// `no_proxy` contains. NO_PROXY is a comma-separated list of
// - names: "example.com" with its subdomains; ".example.com" and "*.example.com" only the subdomains;
// - IP addresses; names and addresses may have a ":port";
// - CIDR blocks such as 10.0.0.0/8, which match addresses only: names are not resolved;
// - "*", which matches everything.
// Other entries are skipped.
[[nodiscard]] bool bypasses_proxy(std::string_view no_proxy, std::string_view host, std::string_view port);

// The proxy of HTTPS_PROXY, or of HTTP_PROXY for a server without TLS, unless NO_PROXY contains the server. Each name
// is read in upper case first, then in lower case, as in Go. `variable` returns the value, or an empty text. Errors
// name the variable.
[[nodiscard]] Result<std::optional<Proxy>> proxy_from_environment(
    const std::function<std::string(const std::string& name)>& variable, bool tls, const std::string& host,
    const std::string& port);

}  // namespace keelson::net
