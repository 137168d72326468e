// A proxy on this machine: opens tunnels by CONNECT or SOCKS 5, forwards plain requests, and notes what it was asked.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "test/support/raw_peer.hpp"

namespace keelson::test {

class TestProxy {
 public:
  enum class Speaks { kHttp, kSocks5 };
  struct Options {
    Speaks speaks = Speaks::kHttp;
    std::optional<KeyPair> tls{};
    // Not empty: whoever comes must show it, "Basic …", or "user:password" in SOCKS.
    std::string authorization{};
  };

  // Whatever host is asked for, its port is connected to on 127.0.0.1.
  TestProxy(boost::asio::any_io_executor executor, Options options);

  [[nodiscard]] std::uint16_t port() const { return peer_.port(); }
  // "CONNECT localhost:6443", "GET http://localhost:8080/x", "SOCKS localhost:6443": those that were let through.
  [[nodiscard]] const std::vector<std::string>& asked() const { return asked_; }
  // Ends every connection; must be awaited before the proxy goes.
  [[nodiscard]] boost::asio::awaitable<void> stop() { return peer_.stop(); }

 private:
  [[nodiscard]] boost::asio::awaitable<void> serve(RawConnection& client);
  [[nodiscard]] boost::asio::awaitable<void> serve_http(RawConnection& client);
  [[nodiscard]] boost::asio::awaitable<void> serve_socks(RawConnection& client);

  Options options_;
  std::vector<std::string> asked_;
  RawPeer peer_;
};

}  // namespace keelson::test
