// The real HttpClient: HTTP/1.1 keep-alive connections over TCP or TLS to one origin.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <memory>
#include <optional>
#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/base/limits.hpp"
#include "keelson/net/http.hpp"
#include "keelson/net/proxy.hpp"

namespace keelson::net {

// PEM throughout. An absent ca means the system's bundle: SSL_CERT_FILE, SSL_CERT_DIR, then the usual paths
// that Go's crypto/x509 tries; an empty one trusts nothing.
struct TlsOptions {
  std::optional<std::string> ca_pem;
  std::string certificate_pem;
  std::string key_pem;
  std::string server_name;  // for SNI and verification; empty: the host of the URL
  bool insecure_skip_verify = false;
};

struct Origin {
  bool tls = true;
  std::string host;  // name or address, IPv6 without brackets
  std::string port;  // numeric
};

struct ServerUrl {
  Origin origin;
  std::string path_prefix;  // "" or "/prefix"
};

enum class Scheme { kHttp, kHttps };

// "https://[::1]:6443/prefix" into its parts; errors name the URL. A query and a fragment are dropped. "host:port"
// without a scheme gets `fallback`: client-go's is https when any TLS option is set.
[[nodiscard]] Result<ServerUrl> parse_server_url(std::string_view url, Scheme fallback = Scheme::kHttp);

struct ClientOptions {
  Origin origin;
  TlsOptions tls;
  // An https proxy is trusted when `tls` trusts it or the system does.
  std::optional<Proxy> proxy{};
  async::Duration connect_timeout = std::chrono::seconds(30);    // client-go: dialer
  async::Duration handshake_timeout = std::chrono::seconds(10);  // client-go: TLSHandshakeTimeout
  async::Duration idle_timeout = std::chrono::seconds(90);       // client-go: IdleConnTimeout
  // Streams at once (watches); more fail with kTransport.
  std::size_t stream_limit = limits::kStreams;
};

// Fails on certificates that cannot be used. The clock must outlive the client; the client must
// outlive its calls and streams.
[[nodiscard]] Result<std::unique_ptr<HttpClient>> make_http_client(boost::asio::any_io_executor executor,
                                                                   async::Clock& clock, ClientOptions options);

}  // namespace keelson::net
