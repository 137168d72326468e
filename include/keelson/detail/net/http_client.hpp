// The implementation of HttpClient (http.hpp): HTTP/1.1 keep-alive connections over TCP or TLS to one origin, directly
// or through a proxy.
//
// Errors have the texts of Go's net/http and crypto packages, because users search for those: "dial tcp …: connect:
// connection refused", "x509: certificate signed by unknown authority". A connection whose peer disappears without
// closing it fails after 15 s (TCP keep-alive and user timeout), so that a watch cannot hang on it forever.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/detail/net/proxy.hpp"
#include "keelson/detail/tls/options.hpp"
#include "keelson/net/http.hpp"

namespace keelson::limits {

// Concurrent streams, each with a connection of its own: a watch for each kind and namespace. Further ones fail
// immediately.
inline constexpr std::size_t kStreams = 4096;

}  // namespace keelson::limits

namespace keelson::net {

// The server of a client.
struct Origin {
  bool tls = true;
  std::string host;  // name or address, IPv6 without brackets
  std::string port;  // numeric
};

// The parts of the `server` field of a kubeconfig.
struct ServerUrl {
  Origin origin;
  std::string path_prefix;  // "" or "/prefix", without a slash at its end; requests prepend it to their paths
};

enum class Scheme { kHttp, kHttps };

// Parses "https://[::1]:6443/prefix". The port defaults to 443 or 80. A query and a fragment are dropped, as in
// client-go. "host:port" without a scheme gets the scheme `fallback`; client-go uses https if any TLS option is set.
// Errors are kInvalid and contain the URL, unless it has user information, which may be a password.
[[nodiscard]] Result<ServerUrl> parse_server_url(std::string_view url, Scheme fallback = Scheme::kHttp);

struct ClientOptions {
  Origin origin;
  tls::TlsOptions tls;
  // Absent: connect directly. The certificate of an HTTPS proxy is verified with `tls.ca_pem` and with the CAs of the
  // system, because the CA of the cluster need not have signed it.
  std::optional<Proxy> proxy{};
  // Limits each of these: the name lookup, TCP over all addresses together, and the tunnel of a proxy.
  async::Duration connect_timeout = std::chrono::seconds(30);    // client-go: dialer
  async::Duration handshake_timeout = std::chrono::seconds(10);  // client-go: TLSHandshakeTimeout
  // A connection that has been silent for longer is not used again. Its server may be gone without a word, and a write
  // that waits for such a server cannot be repeated. client-go reuses connections for 90 s, but pings them (HTTP/2).
  async::Duration idle_timeout = std::chrono::seconds(5);
  // The maximum number of open streams (watches); above it open() fails with kTransport.
  std::size_t stream_limit = limits::kStreams;
  // If not zero, limits how late a write (any request except GET and HEAD) is delivered, so that it does not arrive
  // after another process has acquired this one's lease. If the peer does not acknowledge its bytes for this time,
  // counted from the first retransmission (0.2 s or a few round trips after sending), the write fails. If the write is
  // abandoned or the process ends in any way before the response arrives, the connection is reset. In both cases the
  // kernel discards the bytes instead of sending them. A write larger than the socket buffers also fails if the peer is
  // reachable but does not read for this time (a zero window).
  async::Duration delivery_timeout{0};
};

// Makes a client; it connects at its first call. Fails with kInvalid if a certificate, a key or the origin is invalid.
// The clock must outlive the client; the client must outlive its calls and streams.
[[nodiscard]] Result<std::unique_ptr<HttpClient>> make_http_client(boost::asio::any_io_executor executor,
                                                                   async::Clock& clock, ClientOptions options);

}  // namespace keelson::net
