// A scripted peer at the level of bytes: a server or client that can violate the protocol.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "test/support/certificates.hpp"

namespace keelson::testing {

class RawConnection {
 public:
  virtual ~RawConnection() = default;
  // The header and body (by Content-Length) of one request, or the data until the peer closed the connection.
  [[nodiscard]] virtual boost::asio::awaitable<std::string> read_request() = 0;
  // At least one byte, or "" at the end.
  [[nodiscard]] virtual boost::asio::awaitable<std::string> read_some() = 0;
  [[nodiscard]] virtual boost::asio::awaitable<std::string> read_to_end() = 0;
  // False if the peer has closed the connection.
  [[nodiscard]] virtual boost::asio::awaitable<bool> write(std::string text) = 0;
};

// Runs the script for each connection, and closes it when the script returns; over TLS without close_notify.
using RawScript = std::function<boost::asio::awaitable<void>(RawConnection&)>;

enum class RawClosing { kOrderly, kReset };

class RawPeer {
 public:
  RawPeer(boost::asio::any_io_executor executor, RawScript script, std::optional<KeyPair> tls = std::nullopt,
          RawClosing closing = RawClosing::kOrderly);
  RawPeer(const RawPeer&) = delete;
  RawPeer& operator=(const RawPeer&) = delete;
  ~RawPeer();

  [[nodiscard]] std::uint16_t port() const;
  [[nodiscard]] int accepted() const;
  // Ends all connections; must be awaited before the peer is destroyed.
  [[nodiscard]] boost::asio::awaitable<void> stop();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// A plain connection to a port of this machine; null if it is refused.
[[nodiscard]] boost::asio::awaitable<std::unique_ptr<RawConnection>> connect_raw(std::uint16_t port);

}  // namespace keelson::testing
