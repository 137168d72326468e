// Turns connected sockets into Connections, plain or TLS.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <functional>
#include <memory>
#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/base/task.hpp"
#include "src/net/connection.hpp"

namespace boost::asio::ssl {
class context;
}

namespace keelson::net {

using TlsContext = std::shared_ptr<boost::asio::ssl::context>;

[[nodiscard]] std::unique_ptr<Connection> make_plain_connection(boost::asio::ip::tcp::socket socket);

// Awaited, if set, when a complete ClientHello has arrived and nothing has been computed for it.
using WaitForTurn = std::function<boost::asio::awaitable<void>()>;

enum class Verify { kPeer, kNothing };

// `below` is from one of these functions and has no unread bytes: a connection to the server, or one to a proxy after
// it opened a tunnel. `server_name` is the name or address that the certificate must be valid for.
[[nodiscard]] Task<std::unique_ptr<Connection>> handshake_as_client(async::Clock& clock,
                                                                    std::unique_ptr<Connection> below,
                                                                    TlsContext context, std::string server_name,
                                                                    Verify verify);

[[nodiscard]] Task<std::unique_ptr<Connection>> handshake_as_server(async::Clock& clock,
                                                                    boost::asio::ip::tcp::socket socket,
                                                                    TlsContext context, WaitForTurn turn = {});

// "127.0.0.1:6443", or empty if the socket is no longer connected.
[[nodiscard]] std::string peer_of(const boost::asio::ip::tcp::socket& socket);

}  // namespace keelson::net
