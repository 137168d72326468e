// A byte stream to a peer, plain or TLS, and the bytes that came and were not used yet.
//
// One coroutine owns it and does one operation at a time, but for wait_readable, which may run beside a write.
// An operation that was cancelled leaves the connection unusable: destroy it. Destroying closes at once.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/base/result.hpp"

namespace keelson::net {

class Connection {
 public:
  explicit Connection(std::string peer) : peer_(std::move(peer)) {}
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  virtual ~Connection() = default;

  // 0 when the peer has ended its side, with or without TLS's goodbye: the framing of HTTP tells which is lost.
  [[nodiscard]] virtual boost::asio::awaitable<Result<std::size_t>> read_some(std::span<char> buffer) = 0;
  [[nodiscard]] virtual boost::asio::awaitable<Result<void>> write_all(std::span<const char> bytes) = 0;

  // Returns when the peer has sent something or has gone; nothing is read.
  [[nodiscard]] virtual boost::asio::awaitable<void> wait_readable() = 0;
  // Neither a byte nor the end has come: what an idle connection must be to be used again.
  [[nodiscard]] virtual bool is_silent() const = 0;
  // A read that waits, and every later one, ends with 0.
  virtual void stop_reading() = 0;
  virtual void stop_writing() = 0;

  [[nodiscard]] const std::string& peer() const { return peer_; }

  // What has come and was not consumed.
  [[nodiscard]] std::string_view unread() const;
  void consume(std::size_t bytes);
  // Reads more behind `unread`; kMalformed when more than a header may have piled up.
  [[nodiscard]] boost::asio::awaitable<Result<std::size_t>> fill();
  // What its buffers take when it reads; nothing after rest().
  [[nodiscard]] virtual std::size_t buffer_bytes() const;
  // Gives the memory of buffers back while nothing is to be read.
  virtual void rest();

 private:
  std::string peer_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace keelson::net
