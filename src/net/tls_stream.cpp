#include "src/net/tls_stream.hpp"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cerrno>
#include <new>
#include <utility>

#include "keelson/detail/net/limits.hpp"

namespace keelson::net {
namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

// Fewer bytes than this between two waits are not a list: the next bytes may take long to arrive.
constexpr std::size_t kTrickleBytes = 4096;

// Go's maxUselessRecords. A KeyUpdate, a session ticket or an alert counts twice, as a record and as a message, so that
// many messages in one record are limited too. The last one is the record that brings the data.
constexpr std::size_t kWithoutData = 2 * 16 + 1;

// The bytes of data that offset one of them, so that 1 KiB resets the count. In Go one byte resets it, but 100,000
// KeyUpdates occupy half a core for 3.65 s.
constexpr std::size_t kDataBytes = 32;

// The number of bytes that a server may send until the handshake is complete: a chain of 100 KB, which is OpenSSL's
// limit, and the names of CAs.
constexpr std::size_t kServerHandshakeBytes = std::size_t{256} << 10;

enum Excess { kRecordsWithoutData = 1, kHandshakeTooLarge };

class ExcessCategory final : public boost::system::error_category {
 public:
  const char* name() const noexcept override { return "keelson.tls"; }
  std::string message(int what) const override {
    return what == kHandshakeTooLarge ? "the handshake is too large" : "too many TLS records without data";
  }
};

error_code failure_of(Excess what) {
  static const ExcessCategory category;
  return {what, category};
}

TlsStream& stream_of(BIO* bio) { return *static_cast<TlsStream*>(::BIO_get_data(bio)); }

// The result -1 without a retry flag fails OpenSSL's operation.
int admitted(TlsStream& stream, const char* bytes, std::size_t count) {
  return stream.admits({bytes, count}) ? static_cast<int>(count) : -1;
}

// OpenSSL's own socket BIO would raise SIGPIPE and requires a non-blocking descriptor.
int socket_of(BIO* bio) { return stream_of(bio).socket().native_handle(); }

bool would_block() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

int read_socket(BIO* bio, char* buffer, int size) {
  ::BIO_clear_retry_flags(bio);
  auto got = ::recv(socket_of(bio), buffer, static_cast<std::size_t>(size), MSG_DONTWAIT);
  if (got < 0 && would_block()) ::BIO_set_retry_read(bio);
  return got > 0 ? admitted(stream_of(bio), buffer, static_cast<std::size_t>(got)) : static_cast<int>(got);
}

int write_socket(BIO* bio, const char* bytes, int size) {
  ::BIO_clear_retry_flags(bio);
  auto sent = ::send(socket_of(bio), bytes, static_cast<std::size_t>(size), MSG_DONTWAIT | MSG_NOSIGNAL);
  if (sent < 0 && would_block()) ::BIO_set_retry_write(bio);
  return static_cast<int>(sent);
}

// The inner stream must wait for whatever the stream below it waits for.
int failure_below(BIO* bio, int result) {
  int reason = ::SSL_get_error(stream_of(bio).below()->native(), result);
  if (reason == SSL_ERROR_WANT_READ) ::BIO_set_retry_read(bio);
  if (reason == SSL_ERROR_WANT_WRITE) ::BIO_set_retry_write(bio);
  return reason == SSL_ERROR_ZERO_RETURN ? 0 : -1;
}

int read_tls(BIO* bio, char* buffer, int size) {
  ::BIO_clear_retry_flags(bio);
  auto& stream = stream_of(bio);
  // A record of the inner stream may arrive in thousands of records of the outer one.
  if (stream.is_slice_over()) {
    ::BIO_set_retry_read(bio);
    return -1;
  }
  std::size_t bytes = 0;
  int result = stream.below()->read_now(std::span(buffer, static_cast<std::size_t>(size)), bytes);
  return result == 1 ? admitted(stream, buffer, bytes) : failure_below(bio, result);
}

int write_tls(BIO* bio, const char* bytes, int size) {
  ::BIO_clear_retry_flags(bio);
  std::size_t written = 0;
  int result = ::SSL_write_ex(stream_of(bio).below()->native(), bytes, static_cast<std::size_t>(size), &written);
  return result == 1 ? static_cast<int>(written) : failure_below(bio, result);
}

long control(BIO*, int command, long, void*) { return command == BIO_CTRL_FLUSH ? 1 : 0; }

BIO_METHOD* make_method(const char* name, int (*read)(BIO*, char*, int), int (*write)(BIO*, const char*, int)) {
  auto* made = ::BIO_meth_new(::BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, name);
  if (made == nullptr) throw std::bad_alloc();
  ::BIO_meth_set_read(made, read);
  ::BIO_meth_set_write(made, write);
  ::BIO_meth_set_ctrl(made, control);
  return made;
}

// OpenSSL's BIO_f_ssl is not used for TLS within TLS: it would read past the limits of the stream below.
BIO* make_bio(TlsStream& stream) {
  static const BIO_METHOD* const over_socket = make_method("socket", read_socket, write_socket);
  static const BIO_METHOD* const over_tls = make_method("TLS", read_tls, write_tls);
  auto* bio = ::BIO_new(stream.below() != nullptr ? over_tls : over_socket);
  if (bio == nullptr) throw std::bad_alloc();
  ::BIO_set_data(bio, &stream);
  ::BIO_set_init(bio, 1);
  return bio;
}

int on_hello(SSL* ssl, int*, void*) {
  return stream_of(::SSL_get_rbio(ssl)).may_answer() ? SSL_CLIENT_HELLO_SUCCESS : SSL_CLIENT_HELLO_RETRY;
}

SSL* make_ssl(asio::ssl::context& context, TlsStream& stream) {
  auto* ssl = ::SSL_new(context.native_handle());
  if (ssl == nullptr) throw std::bad_alloc();
  auto* bio = make_bio(stream);
  ::SSL_set_bio(ssl, bio, bio);
  ::SSL_set_mode(ssl, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
  return ssl;
}

error_code failure_of(int reason) {
  auto queued = ::ERR_get_error();
  if (reason == SSL_ERROR_ZERO_RETURN) return asio::error::eof;
  if (queued != 0) return {static_cast<int>(queued), asio::error::get_ssl_category()};
  // The socket has ended without close_notify, or failed.
  if (errno == 0) return asio::ssl::error::stream_truncated;
  return {errno, boost::system::system_category()};
}

}  // namespace

void TlsStream::Free::operator()(SSL* ssl) const { ::SSL_free(ssl); }

TlsStream::TlsStream(async::Clock& clock, tcp::socket socket, asio::ssl::context& context)
    : socket_(std::move(socket)), slice_(clock), ssl_(make_ssl(context, *this)) {}

TlsStream::TlsStream(TlsStream& below, asio::ssl::context& context) : below_(&below), ssl_(make_ssl(context, *this)) {}

// SSL_free_buffers is not used: in the middle of a record it frees memory that is still in use (CVE-2024-4741). With
// SSL_MODE_RELEASE_BUFFERS OpenSSL frees a buffer when a read finds no bytes.
bool TlsStream::keep_buffers(bool keep) {
  if (std::exchange(keeps_buffers_, keep) == keep) return false;
  if (keep) {
    ::SSL_clear_mode(ssl_.get(), SSL_MODE_RELEASE_BUFFERS);
  } else {
    ::SSL_set_mode(ssl_.get(), SSL_MODE_RELEASE_BUFFERS);
  }
  return true;
}

void TlsStream::rest() {
  if (!keep_buffers(false)) return;
  char byte = 0;
  ::SSL_peek(ssl_.get(), &byte, 1);
  ::ERR_clear_error();
}

bool TlsStream::has_unread() const {
  return ::SSL_has_pending(ssl_.get()) == 1 || (below_ != nullptr && below_->has_unread());
}

// A callback cannot fail the read. Setting the received-shutdown flag makes OpenSSL stop before the next record.
void TlsStream::count_record(int is_sent, int, int what, const void*, std::size_t, SSL* ssl, void* stream) {
  if (is_sent != 0 || what == SSL3_RT_INNER_CONTENT_TYPE) return;
  auto& without_data = static_cast<TlsStream*>(stream)->without_data_;
  if (++without_data > kWithoutData) ::SSL_set_shutdown(ssl, ::SSL_get_shutdown(ssl) | SSL_RECEIVED_SHUTDOWN);
}

bool TlsStream::is_flooded() const {
  return without_data_ > kWithoutData || (below_ != nullptr && below_->is_flooded());
}

bool TlsStream::admits(std::span<const char> bytes) {
  if (!handshake_) return true;
  is_oversized_ = !handshake_->takes(bytes, ::SSL_version(ssl_.get()) == TLS1_3_VERSION);
  return !is_oversized_;
}

int TlsStream::read_now(std::span<char> buffer, std::size_t& bytes) {
  int result = ::SSL_read_ex(ssl_.get(), buffer.data(), buffer.size(), &bytes);
  if (result == 1 && !is_flooded()) {
    // The record that contained these bytes does not count as one without data.
    const auto made_up = 1 + bytes / kDataBytes;
    without_data_ -= std::min(without_data_, made_up);
  }
  return result;
}

asio::awaitable<bool> TlsStream::wait_after(int result, error_code& failed) {
  if (is_oversized_ || is_flooded()) {
    failed = failure_of(is_oversized_ ? kHandshakeTooLarge : kRecordsWithoutData);
    co_return false;
  }
  int reason = ::SSL_get_error(ssl_.get(), result);
  if (reason != SSL_ERROR_WANT_READ && reason != SSL_ERROR_WANT_WRITE) {
    failed = failure_of(reason);
    co_return false;
  }
  auto token = asio::redirect_error(asio::use_awaitable, failed);
  auto what = reason == SSL_ERROR_WANT_READ ? tcp::socket::wait_read : tcp::socket::wait_write;
  // Allocating and freeing a large buffer between the objects of a list would fragment the heap.
  bool is_list = std::exchange(unwaited_, 0) >= kTrickleBytes;
  bool read_again = keep_buffers(is_list) && !is_list;
  if (read_again) co_return true;
  if (below_ != nullptr && slice().is_over()) {
    co_await slice().yield();
    co_return true;
  }
  co_await socket().async_wait(what, token);
  slice().restart();
  co_return !failed;
}

// A peer that is always ahead must not block the loop: 256 KiB can be 262,144 records.
bool TlsStream::has_had_its_turn(std::size_t bytes) {
  slice().spend(bytes);
  return slice().is_over();
}

asio::awaitable<TlsStream::Moved> TlsStream::handshake(Side side, WaitForTurn turn) {
  if (side == Side::kClient) {
    ::SSL_set_connect_state(ssl_.get());
    handshake_.emplace(kServerHandshakeBytes);
  } else {
    ::SSL_set_accept_state(ssl_.get());
    handshake_.emplace(tls::kClientHandshakeBytes);
    ::SSL_CTX_set_client_hello_cb(::SSL_get_SSL_CTX(ssl_.get()), on_hello, nullptr);
    may_answer_ = !turn;
  }
  for (Moved moved;;) {
    ::ERR_clear_error();
    errno = 0;
    int result = ::SSL_do_handshake(ssl_.get());
    if (result == 1) {
      expect_data();
      co_return moved;
    }
    if (::SSL_get_error(ssl_.get(), result) == SSL_ERROR_WANT_CLIENT_HELLO_CB) {
      co_await turn();
      may_answer_ = true;
      continue;
    }
    auto waited = co_await wait_after(result, moved.failed);
    if (!waited) co_return moved;
  }
}

// Reading ahead begins here: until now OpenSSL read one record at a time, as HandshakeLimit requires.
void TlsStream::expect_data() {
  handshake_.reset();
  ::SSL_set_read_ahead(ssl_.get(), 1);
  ::SSL_set_default_read_buffer_len(ssl_.get(), limits::kTlsReadBytes);
  ::SSL_set_msg_callback(ssl_.get(), count_record);
  ::SSL_set_msg_callback_arg(ssl_.get(), this);
}

asio::awaitable<TlsStream::Moved> TlsStream::read_some(std::span<char> buffer) {
  for (Moved moved;;) {
    ::ERR_clear_error();
    errno = 0;
    int result = read_now(buffer, moved.bytes);
    unwaited_ += moved.bytes;
    if (result == 1) {
      if (has_had_its_turn(moved.bytes)) co_await slice().yield();
      co_return moved;
    }
    auto waited = co_await wait_after(result, moved.failed);
    if (!waited) co_return moved;
  }
}

asio::awaitable<TlsStream::Moved> TlsStream::write_some(std::span<const char> bytes) {
  for (Moved moved;;) {
    ::ERR_clear_error();
    errno = 0;
    int result = ::SSL_write_ex(ssl_.get(), bytes.data(), bytes.size(), &moved.bytes);
    if (result == 1) {
      if (has_had_its_turn(moved.bytes)) co_await slice().yield();
      co_return moved;
    }
    auto waited = co_await wait_after(result, moved.failed);
    if (!waited) co_return moved;
  }
}

}  // namespace keelson::net
