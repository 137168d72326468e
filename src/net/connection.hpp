// A byte stream to a peer, plain or TLS, with a buffer of received bytes that were not consumed yet.
//
// A single coroutine owns it and runs one operation at a time, except wait_readable, which may run during a write.
// A canceled operation leaves the connection unusable: destroy it. Destroying it closes it immediately.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/base/result.hpp"
#include "keelson/base/task.hpp"

namespace keelson::net {

class Connection {
 public:
  explicit Connection(std::string peer) : peer_(std::move(peer)) {}
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  virtual ~Connection() = default;

  // 0 if the peer has ended its side, with or without close_notify of TLS: the framing of HTTP detects truncation.
  [[nodiscard]] virtual Task<std::size_t> read_some(std::span<char> buffer) = 0;
  [[nodiscard]] virtual Task<void> write_all(std::span<const char> bytes) = 0;

  // Returns when the peer has sent bytes or disconnected; reads nothing.
  [[nodiscard]] virtual boost::asio::awaitable<void> wait_readable() = 0;
  // True if neither a byte nor the end has arrived. An idle connection is only reused if it is silent.
  [[nodiscard]] virtual bool is_silent() const = 0;
  // A pending read and every later one return 0.
  virtual void stop_reading() = 0;
  virtual void stop_writing() = 0;
  // While it is not zero: bytes that the peer does not acknowledge within this time break the connection, and closing
  // it discards them. Zero: the defaults of TCP (tcp_connect.hpp).
  virtual void limit_delivery(async::Duration limit) = 0;

  [[nodiscard]] const std::string& peer() const { return peer_; }
  // The certificate of a server's client with its chain, as PEM; empty without one.
  [[nodiscard]] virtual std::string client_certificates() { return {}; }

  // The received bytes that are not consumed yet.
  [[nodiscard]] std::string_view unread() const;
  void consume(std::size_t bytes);
  // Reads more bytes and appends them to unread(). Fails with kMalformed if unread() exceeds the limit of a header.
  [[nodiscard]] Task<std::size_t> fill();
  // The memory of its buffers while it reads.
  [[nodiscard]] virtual std::size_t buffer_bytes() const;
  // Frees the buffers while there is nothing to read.
  virtual void rest();

 private:
  std::string peer_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace keelson::net
