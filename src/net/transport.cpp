#include "src/net/transport.hpp"

#include <openssl/ssl.h>
#include <sys/socket.h>

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>
#include <span>
#include <utility>

#include "keelson/base/try.hpp"
#include "keelson/detail/net/limits.hpp"
#include "keelson/detail/tls/context.hpp"
#include "src/net/tcp_connect.hpp"
#include "src/net/text.hpp"
#include "src/net/tls_stream.hpp"

namespace keelson::net {
namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

// Turns the error code of a canceled operation into the exception that unwinds the coroutine.
void unwind_if_cancelled(error_code failed) {
  if (failed == asio::error::operation_aborted) throw boost::system::system_error(failed);
}

bool is_end(error_code failed) { return failed == asio::error::eof || failed == asio::ssl::error::stream_truncated; }

class TlsConnection;

// The operations on the socket that both kinds of connections share.
class SocketConnection : public Connection {
 public:
  using Connection::Connection;

  // Makes a TLS connection over `self`, which is this object and is owned by the result.
  virtual std::unique_ptr<TlsConnection> secured(async::Clock& clock, std::unique_ptr<Connection> self,
                                                 TlsContext context) = 0;

  asio::awaitable<void> wait_readable() override {
    error_code failed;
    auto token = asio::redirect_error(asio::use_awaitable, failed);
    co_await socket().async_wait(tcp::socket::wait_read, token);
    unwind_if_cancelled(failed);
  }

  bool is_silent() const override {
    char byte = 0;
    auto got = ::recv(handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
  }

  void stop_reading() override { ::shutdown(handle(), SHUT_RD); }
  void stop_writing() override { ::shutdown(handle(), SHUT_WR); }

  void limit_delivery(async::Duration limit) override {
    if (std::exchange(delivery_limit_, limit) != limit) limit_delivery_on(handle(), limit);
  }

 protected:
  Result<std::size_t> read_result(error_code failed, std::size_t got) const {
    unwind_if_cancelled(failed);
    if (is_end(failed)) return std::size_t{0};
    if (failed) return transport_error("read tcp " + peer() + ": " + tls::describe_tls_failure(failed));
    return got;
  }
  Result<std::size_t> write_result(error_code failed, std::size_t written) const {
    unwind_if_cancelled(failed);
    if (failed) return transport_error("write tcp " + peer() + ": " + tls::describe_tls_failure(failed));
    return written;
  }

 private:
  virtual tcp::socket& socket() = 0;
  int handle() const { return const_cast<SocketConnection*>(this)->socket().native_handle(); }

  async::Duration delivery_limit_{0};
};

class PlainConnection final : public SocketConnection {
 public:
  explicit PlainConnection(tcp::socket socket) : SocketConnection(peer_of(socket)), socket_(std::move(socket)) {}

  std::unique_ptr<TlsConnection> secured(async::Clock& clock, std::unique_ptr<Connection> self,
                                         TlsContext context) override;

  Task<std::size_t> read_some(std::span<char> buffer) override {
    error_code failed;
    auto token = asio::redirect_error(asio::use_awaitable, failed);
    auto got = co_await socket_.async_read_some(asio::buffer(buffer.data(), buffer.size()), token);
    co_return read_result(failed, got);
  }

  Task<void> write_all(std::span<const char> bytes) override {
    while (!bytes.empty()) {
      error_code failed;
      auto token = asio::redirect_error(asio::use_awaitable, failed);
      auto count = co_await socket_.async_write_some(asio::buffer(bytes.data(), bytes.size()), token);
      KEELSON_CO_LET(auto written, write_result(failed, count));
      bytes = bytes.subspan(written);
    }
    co_return Result<void>();
  }

 private:
  tcp::socket& socket() override { return socket_; }
  tcp::socket socket_;
};

class TlsConnection final : public SocketConnection {
 public:
  // `context` lives as long as the stream that uses it.
  TlsConnection(async::Clock& clock, tcp::socket socket, TlsContext context)
      : SocketConnection(peer_of(socket)), context_(std::move(context)), stream_(clock, std::move(socket), *context_) {}
  TlsConnection(std::unique_ptr<Connection> below, TlsStream& stream_below, TlsContext context)
      : SocketConnection(below->peer()),
        context_(std::move(context)),
        below_(std::move(below)),
        stream_(stream_below, *context_) {}

  std::unique_ptr<TlsConnection> secured(async::Clock&, std::unique_ptr<Connection> self, TlsContext context) override {
    return std::make_unique<TlsConnection>(std::move(self), stream_, std::move(context));
  }

  Task<std::size_t> read_some(std::span<char> buffer) override {
    auto moved = co_await stream_.read_some(buffer);
    co_return read_result(moved.failed, moved.bytes);
  }

  Task<void> write_all(std::span<const char> bytes) override {
    while (!bytes.empty()) {
      auto moved = co_await stream_.write_some(bytes);
      KEELSON_CO_LET(auto written, write_result(moved.failed, moved.bytes));
      bytes = bytes.subspan(written);
    }
    co_return Result<void>();
  }

  bool is_silent() const override { return !stream_.has_unread() && SocketConnection::is_silent(); }

  // Includes the maximum of OpenSSL's buffers, because OpenSSL does not report their size.
  std::size_t buffer_bytes() const override { return Connection::buffer_bytes() + limits::kTlsReadBytes; }
  void rest() override {
    Connection::rest();
    stream_.rest();
  }

  std::string client_certificates() override { return tls::peer_chain(stream_.native()); }

  TlsStream& stream() { return stream_; }

 private:
  tcp::socket& socket() override { return stream_.socket(); }
  TlsContext context_;
  std::unique_ptr<Connection> below_;  // to a proxy, in TLS itself
  TlsStream stream_;
};

std::unique_ptr<TlsConnection> PlainConnection::secured(async::Clock& clock, std::unique_ptr<Connection>,
                                                        TlsContext context) {
  return std::make_unique<TlsConnection>(clock, std::move(socket_), std::move(context));
}

// Why a peer's certificate was rejected, as a text that OpenSSL's error does not contain.
struct Distrust {
  std::string server_name;
  std::string text;
};

int note_distrust(int trusted, X509_STORE_CTX* chain) {
  auto* ssl = static_cast<SSL*>(::X509_STORE_CTX_get_ex_data(chain, ::SSL_get_ex_data_X509_STORE_CTX_idx()));
  auto* distrust = static_cast<Distrust*>(SSL_get_app_data(ssl));
  if (trusted == 0 && distrust->text.empty()) distrust->text = tls::describe_distrust(chain, distrust->server_name);
  return trusted;
}

Task<std::unique_ptr<Connection>> shake_hands(std::unique_ptr<TlsConnection> connection, TlsStream::Side side,
                                              Distrust& distrust, WaitForTurn turn) {
  auto done = co_await connection->stream().handshake(side, std::move(turn));
  unwind_if_cancelled(done.failed);
  if (!done.failed) co_return std::unique_ptr<Connection>(std::move(connection));
  if (!distrust.text.empty()) co_return transport_error("tls: failed to verify certificate: " + distrust.text);
  if (is_end(done.failed)) co_return transport_error("tls: handshake with " + connection->peer() + ": unexpected EOF");
  co_return transport_error("tls: handshake with " + connection->peer() + ": " +
                            tls::describe_tls_failure(done.failed));
}

}  // namespace

std::string peer_of(const tcp::socket& socket) {
  error_code failed;
  auto endpoint = socket.remote_endpoint(failed);
  if (failed) return {};
  return join_host_port(endpoint.address().to_string(), std::to_string(endpoint.port()));
}

std::unique_ptr<Connection> make_plain_connection(tcp::socket socket) {
  return std::make_unique<PlainConnection>(std::move(socket));
}

Task<std::unique_ptr<Connection>> handshake_as_client(async::Clock& clock, std::unique_ptr<Connection> below,
                                                      TlsContext context, std::string server_name, Verify verify) {
  auto& reached = static_cast<SocketConnection&>(*below);  // the only implementation of Connection
  auto connection = reached.secured(clock, std::move(below), std::move(context));
  auto* native = connection->stream().native();
  KEELSON_CO_TRY(tls::expect_server_name(native, server_name, verify == Verify::kPeer));
  Distrust distrust{std::move(server_name), {}};
  if (verify == Verify::kPeer) {
    SSL_set_app_data(native, &distrust);
    ::SSL_set_verify(native, SSL_VERIFY_PEER, note_distrust);
  }
  co_return co_await shake_hands(std::move(connection), TlsStream::Side::kClient, distrust, {});
}

Task<std::unique_ptr<Connection>> handshake_as_server(async::Clock& clock, tcp::socket socket, TlsContext context,
                                                      WaitForTurn turn) {
  auto connection = std::make_unique<TlsConnection>(clock, std::move(socket), std::move(context));
  Distrust distrust;
  co_return co_await shake_hands(std::move(connection), TlsStream::Side::kServer, distrust, std::move(turn));
}

}  // namespace keelson::net
