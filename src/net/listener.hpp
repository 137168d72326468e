// The listening socket of a server, on all addresses (IPv6 and IPv4) or on the address of a host.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstdint>
#include <memory>
#include <string>

#include "keelson/base/result.hpp"
#include "keelson/base/task.hpp"

namespace keelson::net {

class Listener {
 public:
  // Bound and listening, or "error listening on :8081: listen tcp :8081: bind: address already in use".
  [[nodiscard]] static Result<std::unique_ptr<Listener>> bind(boost::asio::any_io_executor executor,
                                                              const std::string& host, std::uint16_t port);
  explicit Listener(boost::asio::ip::tcp::acceptor acceptor) : acceptor_(std::move(acceptor)) {}
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  [[nodiscard]] std::uint16_t port() const;
  [[nodiscard]] Task<boost::asio::ip::tcp::socket> accept();
  void close();

 private:
  boost::asio::ip::tcp::acceptor acceptor_;
};

}  // namespace keelson::net
