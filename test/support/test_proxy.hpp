// A proxy on this machine: opens tunnels by CONNECT or SOCKS 5, forwards plain requests, and records them.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "test/support/raw_peer.hpp"

namespace keelson::testing {

class TestProxy {
 public:
  enum class Speaks { kHttp, kSocks5 };
  struct Options {
    Speaks speaks = Speaks::kHttp;
    std::optional<KeyPair> tls{};
    // If not empty, clients must present these credentials: "Basic …", or "user:password" for SOCKS.
    std::string authorization{};
  };

  // Whatever the requested host, the proxy connects to its port on 127.0.0.1.
  TestProxy(boost::asio::any_io_executor executor, Options options);

  [[nodiscard]] std::uint16_t port() const { return peer_.port(); }
  // The permitted requests: "CONNECT localhost:6443", "GET http://localhost:8080/x", "SOCKS localhost:6443".
  [[nodiscard]] const std::vector<std::string>& asked() const { return asked_; }
  // Ends all connections; must be awaited before the proxy is destroyed.
  [[nodiscard]] boost::asio::awaitable<void> stop() { return peer_.stop(); }

 private:
  [[nodiscard]] boost::asio::awaitable<void> serve(RawConnection& client);
  [[nodiscard]] boost::asio::awaitable<void> serve_http(RawConnection& client);
  [[nodiscard]] boost::asio::awaitable<void> serve_socks(RawConnection& client);

  Options options_;
  std::vector<std::string> asked_;
  RawPeer peer_;
};

}  // namespace keelson::testing
