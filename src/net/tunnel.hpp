// Opens a tunnel through a proxy: all bytes that are written and read afterwards are those of the server.
#pragma once

#include <string>

#include "keelson/base/task.hpp"
#include "keelson/detail/net/http_client.hpp"
#include "keelson/detail/net/proxy.hpp"
#include "src/net/connection.hpp"

namespace keelson::net {

// `connection` is a connection to the proxy, in TLS if its kind is kHttps. Errors contain the proxy's reply and a
// remedy; the caller adds the name of the proxy. `proxy` and `target` must outlive the call.
[[nodiscard]] Task<void> open_tunnel(Connection& connection, const Proxy& proxy, const Origin& target);

// The same in SOCKS version 5 (RFC 1928, 1929).
[[nodiscard]] Task<void> open_socks_tunnel(Connection& connection, const Proxy& proxy, const Origin& target);

// True if the proxy forwards requests without a tunnel, as in Go: for a server without TLS behind an HTTP proxy.
[[nodiscard]] bool is_forwarding(const Proxy& proxy, const Origin& target);

// The line "Proxy-Authorization: Basic …"; empty if the proxy has no user.
[[nodiscard]] std::string proxy_authorization(const Proxy& proxy);

}  // namespace keelson::net
