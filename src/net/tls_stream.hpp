// TLS over a connected socket: one system call takes all that has come, and what is there is read without waiting.
//
// OpenSSL reads the socket itself, several records at a time; Asio only waits for it. (Its own TLS stream moves
// each record through two more buffers and a turn of the loop, which was a quarter of the cost of a large list.)
// One operation at a time, but for waiting on the socket itself.
//
// OpenSSL processes every queued record that carries no data within one call, and a KeyUpdate of 27 bytes costs as much
// as a large record. Therefore a peer that sends more than 16 of them for 1 KiB of data fails the connection
// (Go's maxUselessRecords), or more than 32 records without a message in them (Go: 16). 32 bytes of data make up for
// one record or message. What fails is the read, also of a connection within this one.
#pragma once

#include <openssl/types.h>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/system/error_code.hpp>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>

#include "keelson/async/time_slice.hpp"
#include "src/net/handshake_limit.hpp"
#include "src/net/transport.hpp"

namespace keelson::net {

class TlsStream {
 public:
  enum class Side { kClient, kServer };

  // What an operation did, or why it could not; the end of the stream is an error, as in Asio.
  struct Moved {
    std::size_t bytes = 0;
    boost::system::error_code failed;
  };

  TlsStream(async::Clock& clock, boost::asio::ip::tcp::socket socket, boost::asio::ssl::context& context);
  // TLS within the TLS of `below`, which a proxy ends; it must outlive this.
  TlsStream(TlsStream& below, boost::asio::ssl::context& context);
  TlsStream(const TlsStream&) = delete;
  TlsStream& operator=(const TlsStream&) = delete;
  ~TlsStream() = default;

  [[nodiscard]] boost::asio::awaitable<Moved> handshake(Side side, WaitForTurn turn = {});
  [[nodiscard]] boost::asio::awaitable<Moved> read_some(std::span<char> buffer);
  [[nodiscard]] boost::asio::awaitable<Moved> write_some(std::span<const char> bytes);

  // Reads without waiting; the result is that of SSL_read_ex. TLS within this one reads by it.
  [[nodiscard]] int read_now(std::span<char> buffer, std::size_t& bytes);
  [[nodiscard]] bool is_slice_over() { return slice().is_over(); }

  // Whether OpenSSL gets the bytes that have come: during a handshake they are limited.
  [[nodiscard]] bool admits(std::span<const char> bytes);
  // A ClientHello costs nothing until it is answered.
  [[nodiscard]] bool may_answer() const { return may_answer_; }
  [[nodiscard]] TlsStream* below() { return below_; }

  // Bytes that came from the socket wait to be read, perhaps the peer's goodbye.
  [[nodiscard]] bool has_unread() const;

  // Gives OpenSSL's buffers back while nothing is to be read; the next operation gets new ones.
  void rest();

  [[nodiscard]] SSL* native() { return ssl_.get(); }
  [[nodiscard]] boost::asio::ip::tcp::socket& socket() { return below_ != nullptr ? below_->socket() : *socket_; }

 private:
  struct Free {
    void operator()(SSL* ssl) const;
  };
  // Waits for what the operation lacks; false, with `failed`, when that is not a matter of waiting.
  [[nodiscard]] boost::asio::awaitable<bool> wait_after(int result, boost::system::error_code& failed);

  // Whether the coroutine has to yield, now that these have moved too.
  [[nodiscard]] bool has_had_its_turn(std::size_t bytes);

  // The stream below that owns the socket, and this one, read and write in one coroutine.
  [[nodiscard]] async::TimeSlice& slice() { return below_ != nullptr ? below_->slice() : *slice_; }

  // Whether the read buffer stays from one record to the next; true when that has changed.
  bool keep_buffers(bool keep);

  // OpenSSL reports each record and each handshake message here while it looks for data.
  static void count_record(int is_sent, int version, int what, const void* bytes, std::size_t size, SSL* ssl,
                           void* stream);
  [[nodiscard]] bool is_flooded() const;
  void expect_data();

  std::optional<boost::asio::ip::tcp::socket> socket_;  // none within another
  std::optional<async::TimeSlice> slice_;               // nor this
  TlsStream* below_ = nullptr;
  std::unique_ptr<SSL, Free> ssl_;
  std::optional<HandshakeLimit> handshake_;  // while it lasts
  bool is_oversized_ = false;
  bool may_answer_ = false;
  bool keeps_buffers_ = false;
  std::size_t without_data_ = 0;  // records and handshake messages for which no data made up
  std::size_t unwaited_ = 0;      // bytes read since the last wait
};

}  // namespace keelson::net
