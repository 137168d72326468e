// TLS over a connected socket: a system call reads all bytes that have arrived, and available data is returned without
// waiting.
//
// OpenSSL reads the socket itself, several records at a time; Asio only waits for it. (Asio's TLS stream moves each
// record through two more buffers and a turn of the loop, which was a quarter of the cost of a large list.)
// One operation runs at a time, except waiting on the socket itself.
//
// OpenSSL processes all queued records without data within a call, and a KeyUpdate of 27 bytes costs as much as a large
// record. Therefore a peer that sends more than 16 of them for 1 KiB of data (Go's maxUselessRecords), or more than 32
// records without a message (Go: 16), fails the connection. 32 bytes of data make up for a record or message. The read
// fails, also that of a connection within this one.
#pragma once

#include <openssl/types.h>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/system/error_code.hpp>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>

#include "keelson/detail/async/time_slice.hpp"
#include "keelson/detail/tls/handshake_limit.hpp"
#include "src/net/transport.hpp"

namespace keelson::net {

class TlsStream {
 public:
  enum class Side { kClient, kServer };

  // The result of an operation; the end of the stream is an error, as in Asio.
  struct Moved {
    std::size_t bytes = 0;
    boost::system::error_code failed;
  };

  TlsStream(async::Clock& clock, boost::asio::ip::tcp::socket socket, boost::asio::ssl::context& context);
  // TLS within the TLS of `below`, a connection to a proxy; it must outlive this stream.
  TlsStream(TlsStream& below, boost::asio::ssl::context& context);
  TlsStream(const TlsStream&) = delete;
  TlsStream& operator=(const TlsStream&) = delete;
  ~TlsStream() = default;

  [[nodiscard]] boost::asio::awaitable<Moved> handshake(Side side, WaitForTurn turn = {});
  [[nodiscard]] boost::asio::awaitable<Moved> read_some(std::span<char> buffer);
  [[nodiscard]] boost::asio::awaitable<Moved> write_some(std::span<const char> bytes);

  // Reads without waiting; returns the result of SSL_read_ex. A stream within this one reads with it.
  [[nodiscard]] int read_now(std::span<char> buffer, std::size_t& bytes);
  [[nodiscard]] bool is_slice_over() { return slice().is_over(); }

  // Whether the received bytes may be passed to OpenSSL: during a handshake they are limited.
  [[nodiscard]] bool admits(std::span<const char> bytes);
  // False until the turn of this handshake: a ClientHello costs no CPU until it is answered.
  [[nodiscard]] bool may_answer() const { return may_answer_; }
  [[nodiscard]] TlsStream* below() { return below_; }

  // True if bytes from the socket are not read yet; they may be the peer's close_notify.
  [[nodiscard]] bool has_unread() const;

  // Frees OpenSSL's buffers while there is nothing to read; the next operation allocates them again.
  void rest();

  [[nodiscard]] SSL* native() { return ssl_.get(); }
  [[nodiscard]] boost::asio::ip::tcp::socket& socket() { return below_ != nullptr ? below_->socket() : *socket_; }

 private:
  struct Free {
    void operator()(SSL* ssl) const;
  };
  // Waits until the operation can continue; false, with `failed`, if it has failed.
  [[nodiscard]] boost::asio::awaitable<bool> wait_after(int result, boost::system::error_code& failed);

  // Counts the moved bytes; true if the coroutine must yield the loop.
  [[nodiscard]] bool has_had_its_turn(std::size_t bytes);

  // The stream below that owns the socket, and this one, read and write in one coroutine.
  [[nodiscard]] async::TimeSlice& slice() { return below_ != nullptr ? below_->slice() : *slice_; }

  // Sets whether the read buffer is retained between records; true if the setting has changed.
  bool keep_buffers(bool keep);

  // OpenSSL reports each record and each handshake message here while it looks for data.
  static void count_record(int is_sent, int version, int what, const void* bytes, std::size_t size, SSL* ssl,
                           void* stream);
  [[nodiscard]] bool is_flooded() const;
  void expect_data();

  std::optional<boost::asio::ip::tcp::socket> socket_;  // absent within another stream
  std::optional<async::TimeSlice> slice_;               // absent within another stream
  TlsStream* below_ = nullptr;
  std::unique_ptr<SSL, Free> ssl_;
  std::optional<tls::HandshakeLimit> handshake_;  // set during the handshake
  bool is_oversized_ = false;
  bool may_answer_ = false;
  bool keeps_buffers_ = false;
  std::size_t without_data_ = 0;  // records and handshake messages without data that are not offset yet
  std::size_t unwaited_ = 0;      // bytes read since the last wait
};

}  // namespace keelson::net
