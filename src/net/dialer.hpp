// Opens connections to an origin: TCP, a proxy if there is one, and TLS, each with a timeout and clear errors.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <memory>

#include "keelson/base/task.hpp"
#include "keelson/detail/net/http_client.hpp"
#include "src/net/connection.hpp"
#include "src/net/transport.hpp"

namespace keelson::net {

class Dialer {
 public:
  // `tls` is null for plain connections, and `proxy_tls` is null unless there is an https proxy. The clock must outlive
  // the dialer, and the dialer its calls.
  Dialer(async::Clock& clock, const ClientOptions& options, TlsContext tls, TlsContext proxy_tls);
  Dialer(const Dialer&) = delete;
  Dialer& operator=(const Dialer&) = delete;

  [[nodiscard]] Task<std::unique_ptr<Connection>> open();

 private:
  using Opened = Result<std::unique_ptr<Connection>>;
  // A TCP connection.
  [[nodiscard]] boost::asio::awaitable<Opened> reach(const std::string& host, const std::string& port);
  [[nodiscard]] boost::asio::awaitable<Opened> reach_through_proxy();
  [[nodiscard]] boost::asio::awaitable<Opened> shake_hands(std::unique_ptr<Connection> connection, TlsContext tls,
                                                           std::string server_name);

  async::Clock& clock_;
  Origin origin_;
  std::optional<Proxy> proxy_;
  std::string server_name_;
  Verify verify_;
  async::Duration connect_timeout_;
  async::Duration handshake_timeout_;
  TlsContext tls_;
  TlsContext proxy_tls_;
};

}  // namespace keelson::net
