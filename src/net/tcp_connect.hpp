// Opens TCP connections: resolves the name and tries its addresses in order, with clear errors.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/base/result.hpp"
#include "keelson/base/task.hpp"

namespace keelson::net {

// `host` is a name or an address, IPv6 without brackets; `port` a number. Lookup and connecting each take `limit` at
// most. A peer that disappears breaks the connection after 15 s. The clock must outlive the call.
[[nodiscard]] Task<boost::asio::ip::tcp::socket> connect_tcp(async::Clock& clock, std::string host, std::string port,
                                                             async::Duration limit);

// What Connection::limit_delivery() does, to the descriptor of a socket.
void limit_delivery_on(int socket, async::Duration limit);

}  // namespace keelson::net
