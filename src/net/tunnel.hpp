// Asks a proxy for a way to a server: what is sent and read afterwards goes there and comes from there.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>

#include "keelson/net/http_client.hpp"
#include "keelson/net/proxy.hpp"
#include "src/net/connection.hpp"

namespace keelson::net {

// `connection` is one to the proxy, in TLS already where its kind is kHttps. Errors say what the proxy said and what
// would help; the proxy's name is the caller's to add. `proxy` and `target` must outlive the call.
[[nodiscard]] boost::asio::awaitable<Result<void>> open_tunnel(Connection& connection, const Proxy& proxy,
                                                               const Origin& target);

// The same in SOCKS version 5 (RFC 1928, 1929).
[[nodiscard]] boost::asio::awaitable<Result<void>> open_socks_tunnel(Connection& connection, const Proxy& proxy,
                                                                     const Origin& target);

// A server without TLS is not asked for through a tunnel, as in Go: a proxy that speaks HTTP reads the request.
[[nodiscard]] bool is_forwarding(const Proxy& proxy, const Origin& target);

// The line "Proxy-Authorization: Basic …"; empty when the proxy has no user.
[[nodiscard]] std::string proxy_authorization(const Proxy& proxy);

}  // namespace keelson::net
