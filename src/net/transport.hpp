// Turns connected sockets into Connections; the only place that knows both TLS and Asio.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <functional>
#include <memory>
#include <string>

#include "keelson/async/clock.hpp"
#include "src/net/connection.hpp"

namespace boost::asio::ssl {
class context;
}

namespace keelson::net {

using TlsContext = std::shared_ptr<boost::asio::ssl::context>;

[[nodiscard]] std::unique_ptr<Connection> make_plain_connection(boost::asio::ip::tcp::socket socket);

// Waited for, if there is one, when a whole ClientHello has come and nothing has been computed for it.
using WaitForTurn = std::function<boost::asio::awaitable<void>()>;

enum class Verify { kPeer, kNothing };

// `below` came from one of these functions and nothing of it is unread: a connection, or one to a proxy that has opened
// the way. `server_name` is what the certificate must be valid for, a name or an address.
[[nodiscard]] boost::asio::awaitable<Result<std::unique_ptr<Connection>>> handshake_as_client(
    async::Clock& clock, std::unique_ptr<Connection> below, TlsContext context, std::string server_name, Verify verify);

[[nodiscard]] boost::asio::awaitable<Result<std::unique_ptr<Connection>>> handshake_as_server(
    async::Clock& clock, boost::asio::ip::tcp::socket socket, TlsContext context, WaitForTurn turn = {});

// "127.0.0.1:6443", or empty when the socket is not connected any more.
[[nodiscard]] std::string peer_of(const boost::asio::ip::tcp::socket& socket);

}  // namespace keelson::net
