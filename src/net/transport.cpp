#include "src/net/transport.hpp"

#include <sys/socket.h>

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

#include "src/net/text.hpp"
#include "src/net/tls_context.hpp"

namespace keelson::net {
namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

using TlsStream = asio::ssl::stream<tcp::socket>;

// Cancellation comes out of an operation as an error code and goes on as what unwinds.
void unwind_if_cancelled(error_code failed) {
  if (failed == asio::error::operation_aborted) throw boost::system::system_error(failed);
}

bool is_end(error_code failed) { return failed == asio::error::eof || failed == asio::ssl::error::stream_truncated; }

template <class Stream>
class StreamConnection final : public Connection {
 public:
  // `context` is kept alive as long as the stream that was made from it.
  StreamConnection(Stream stream, TlsContext context)
      : Connection(peer_of(lowest(stream))), context_(std::move(context)), stream_(std::move(stream)) {}

  asio::awaitable<Result<std::size_t>> read_some(std::span<char> buffer) override {
    error_code failed;
    auto token = asio::redirect_error(asio::use_awaitable, failed);
    auto got = co_await stream_.async_read_some(asio::buffer(buffer.data(), buffer.size()), token);
    unwind_if_cancelled(failed);
    if (is_end(failed)) co_return std::size_t{0};
    if (failed) co_return transport("read tcp " + peer() + ": " + describe_tls_failure(failed));
    co_return got;
  }

  asio::awaitable<Result<void>> write_all(std::span<const char> bytes) override {
    while (!bytes.empty()) {
      error_code failed;
      auto token = asio::redirect_error(asio::use_awaitable, failed);
      auto written = co_await stream_.async_write_some(asio::buffer(bytes.data(), bytes.size()), token);
      unwind_if_cancelled(failed);
      if (failed) co_return transport("write tcp " + peer() + ": " + describe_tls_failure(failed));
      bytes = bytes.subspan(written);
    }
    co_return Result<void>();
  }

  asio::awaitable<void> wait_readable() override {
    error_code failed;
    auto token = asio::redirect_error(asio::use_awaitable, failed);
    co_await lowest(stream_).async_wait(tcp::socket::wait_read, token);
    unwind_if_cancelled(failed);
  }

  bool is_silent() const override {
    char byte = 0;
    auto got = ::recv(handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
  }

  void stop_reading() override { ::shutdown(handle(), SHUT_RD); }
  void stop_writing() override { ::shutdown(handle(), SHUT_WR); }

  Stream& stream() { return stream_; }

 private:
  static tcp::socket& lowest(tcp::socket& socket) { return socket; }
  static tcp::socket& lowest(TlsStream& stream) { return stream.next_layer(); }
  int handle() const { return lowest(const_cast<Stream&>(stream_)).native_handle(); }

  TlsContext context_;
  Stream stream_;
};

using TlsConnection = StreamConnection<TlsStream>;

asio::awaitable<Result<std::unique_ptr<Connection>>> shake_hands(std::unique_ptr<TlsConnection> connection,
                                                                 asio::ssl::stream_base::handshake_type side,
                                                                 std::shared_ptr<std::string> distrust) {
  error_code failed;
  auto token = asio::redirect_error(asio::use_awaitable, failed);
  co_await connection->stream().async_handshake(side, token);
  unwind_if_cancelled(failed);
  if (!failed) co_return std::unique_ptr<Connection>(std::move(connection));
  if (!distrust->empty()) co_return transport("tls: failed to verify certificate: " + *distrust);
  if (is_end(failed)) co_return transport("tls: handshake with " + connection->peer() + ": unexpected EOF");
  co_return transport("tls: handshake with " + connection->peer() + ": " + describe_tls_failure(failed));
}

}  // namespace

std::string peer_of(const tcp::socket& socket) {
  error_code failed;
  auto endpoint = socket.remote_endpoint(failed);
  if (failed) return {};
  return join_host_port(endpoint.address().to_string(), std::to_string(endpoint.port()));
}

std::unique_ptr<Connection> make_plain_connection(tcp::socket socket) {
  return std::make_unique<StreamConnection<tcp::socket>>(std::move(socket), nullptr);
}

asio::awaitable<Result<std::unique_ptr<Connection>>> handshake_as_client(tcp::socket socket, TlsContext context,
                                                                         std::string server_name, Verify verify) {
  TlsStream stream(std::move(socket), *context);
  auto distrust = std::make_shared<std::string>();
  auto* native = stream.native_handle();
  auto named = expect_server_name(native, server_name, verify == Verify::kPeer);
  if (!named) co_return std::move(named).error();
  stream.set_verify_mode(verify == Verify::kPeer ? asio::ssl::verify_peer : asio::ssl::verify_none);
  if (verify == Verify::kPeer) {
    stream.set_verify_callback([distrust, server_name](bool trusted, asio::ssl::verify_context& chain) {
      if (!trusted && distrust->empty()) *distrust = describe_distrust(chain.native_handle(), server_name);
      return trusted;
    });
  }
  auto connection = std::make_unique<TlsConnection>(std::move(stream), context);
  co_return co_await shake_hands(std::move(connection), asio::ssl::stream_base::client, distrust);
}

asio::awaitable<Result<std::unique_ptr<Connection>>> handshake_as_server(tcp::socket socket, TlsContext context) {
  TlsStream stream(std::move(socket), *context);
  auto connection = std::make_unique<TlsConnection>(std::move(stream), context);
  auto distrust = std::make_shared<std::string>();
  co_return co_await shake_hands(std::move(connection), asio::ssl::stream_base::server, distrust);
}

}  // namespace keelson::net
