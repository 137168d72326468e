#include "src/net/dialer.hpp"

#include "keelson/base/try.hpp"
#include "keelson/detail/async/timeout.hpp"
#include "src/net/host_port.hpp"
#include "src/net/tcp_connect.hpp"
#include "src/net/text.hpp"
#include "src/net/tunnel.hpp"

namespace keelson::net {
namespace asio = boost::asio;
using ConnectionPtr = std::unique_ptr<Connection>;

namespace {

// "proxy http://p:3128 (HTTPS_PROXY)": the setting to check, for every error.
std::string named(const Proxy& proxy) { return "proxy " + proxy.url() + " (" + proxy.source + ")"; }

}  // namespace

Dialer::Dialer(async::Clock& clock, const ClientOptions& options, TlsContext tls, TlsContext proxy_tls)
    : clock_(clock),
      origin_(options.origin),
      proxy_(options.proxy),
      server_name_(options.tls.server_name.empty() ? options.origin.host : options.tls.server_name),
      verify_(options.tls.insecure_skip_verify ? Verify::kNothing : Verify::kPeer),
      connect_timeout_(options.connect_timeout),
      handshake_timeout_(options.handshake_timeout),
      tls_(std::move(tls)),
      proxy_tls_(std::move(proxy_tls)) {
  server_name_ = without_zone(server_name_);
}

asio::awaitable<Dialer::Opened> Dialer::open() {
  auto reaching = proxy_ ? reach_through_proxy() : reach(origin_.host, origin_.port);
  auto connection = co_await std::move(reaching);
  if (!connection && proxy_) co_return std::move(connection.error()).with_context(named(*proxy_));
  if (!connection || !tls_) co_return connection;
  auto shaken = co_await shake_hands(std::move(*connection), tls_, server_name_);
  if (!shaken && proxy_) co_return std::move(shaken.error()).with_context("through " + named(*proxy_));
  co_return shaken;
}

asio::awaitable<Dialer::Opened> Dialer::reach(const std::string& host, const std::string& port) {
  KEELSON_CO_LET(auto socket, co_await connect_tcp(clock_, host, port, connect_timeout_));
  co_return make_plain_connection(std::move(socket));
}

asio::awaitable<Dialer::Opened> Dialer::reach_through_proxy() {
  auto connection = co_await reach(proxy_->host, proxy_->port);
  if (!connection) co_return connection;
  if (proxy_tls_) {
    connection = co_await shake_hands(std::move(*connection), proxy_tls_, without_zone(proxy_->host));
    if (!connection) co_return connection;
  }
  if (is_forwarding(*proxy_, origin_)) co_return connection;
  bool is_socks = proxy_->kind == Proxy::Kind::kSocks5;
  auto opening =
      is_socks ? open_socks_tunnel(**connection, *proxy_, origin_) : open_tunnel(**connection, *proxy_, origin_);
  auto what = "tunnel to " + join_host_port(origin_.host, origin_.port);
  // The proxy must connect to the server first, for which it gets the same timeout as a direct connection.
  KEELSON_CO_TRY(co_await async::with_timeout(clock_, connect_timeout_, what, std::move(opening)));
  co_return connection;
}

asio::awaitable<Dialer::Opened> Dialer::shake_hands(ConnectionPtr connection, TlsContext tls, std::string server_name) {
  auto what = "TLS handshake with " + connection->peer();
  auto handshake = handshake_as_client(clock_, std::move(connection), std::move(tls), std::move(server_name), verify_);
  co_return co_await async::with_timeout(clock_, handshake_timeout_, what, std::move(handshake));
}

}  // namespace keelson::net
