// Opens connections to one origin: name lookup, TCP, TLS, each with its own limit and in plain words when it fails.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <memory>

#include "keelson/net/http_client.hpp"
#include "src/net/connection.hpp"
#include "src/net/transport.hpp"

namespace keelson::net {

class Dialer {
 public:
  // `tls` is null for plain connections. The clock must outlive the dialer, the dialer its calls.
  Dialer(async::Clock& clock, const ClientOptions& options, TlsContext tls);
  Dialer(const Dialer&) = delete;
  Dialer& operator=(const Dialer&) = delete;

  [[nodiscard]] boost::asio::awaitable<Result<std::unique_ptr<Connection>>> open();

 private:
  using Endpoints = std::vector<boost::asio::ip::tcp::endpoint>;
  using Socket = boost::asio::ip::tcp::socket;
  [[nodiscard]] boost::asio::awaitable<Result<Socket>> connect();
  [[nodiscard]] boost::asio::awaitable<Result<Endpoints>> resolve();
  [[nodiscard]] boost::asio::awaitable<Result<Socket>> connect_any(Endpoints endpoints);

  async::Clock& clock_;
  Origin origin_;
  std::string server_name_;
  Verify verify_;
  async::Duration connect_timeout_;
  async::Duration handshake_timeout_;
  TlsContext tls_;
};

}  // namespace keelson::net
