#include "src/net/tls_stream.hpp"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cerrno>
#include <new>
#include <utility>

#include "keelson/base/limits.hpp"

namespace keelson::net {
namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

// Less than this between two waits is no list: the next bytes may be long in coming.
constexpr std::size_t kTrickleBytes = 4096;

// OpenSSL's own socket BIO would raise SIGPIPE and wants the descriptor to be non-blocking.
int socket_of(BIO* bio) { return static_cast<tcp::socket*>(::BIO_get_data(bio))->native_handle(); }

bool would_block() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

int read_socket(BIO* bio, char* buffer, int size) {
  ::BIO_clear_retry_flags(bio);
  auto got = ::recv(socket_of(bio), buffer, static_cast<std::size_t>(size), MSG_DONTWAIT);
  if (got < 0 && would_block()) ::BIO_set_retry_read(bio);
  return static_cast<int>(got);
}

int write_socket(BIO* bio, const char* bytes, int size) {
  ::BIO_clear_retry_flags(bio);
  auto sent = ::send(socket_of(bio), bytes, static_cast<std::size_t>(size), MSG_DONTWAIT | MSG_NOSIGNAL);
  if (sent < 0 && would_block()) ::BIO_set_retry_write(bio);
  return static_cast<int>(sent);
}

long control_socket(BIO*, int command, long, void*) { return command == BIO_CTRL_FLUSH ? 1 : 0; }

const BIO_METHOD* socket_method() {
  static BIO_METHOD* const method = [] {
    auto* made = ::BIO_meth_new(::BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "socket");
    if (made == nullptr) throw std::bad_alloc();
    ::BIO_meth_set_read(made, read_socket);
    ::BIO_meth_set_write(made, write_socket);
    ::BIO_meth_set_ctrl(made, control_socket);
    return made;
  }();
  return method;
}

BIO* over_socket(tcp::socket& socket) {
  auto* bio = ::BIO_new(socket_method());
  if (bio == nullptr) throw std::bad_alloc();
  ::BIO_set_data(bio, &socket);
  ::BIO_set_init(bio, 1);
  return bio;
}

BIO* over_tls(SSL* below) {
  auto* bio = ::BIO_new(::BIO_f_ssl());
  if (bio == nullptr) throw std::bad_alloc();
  BIO_set_ssl(bio, below, BIO_NOCLOSE);
  return bio;
}

SSL* make_ssl(asio::ssl::context& context, BIO* bio) {
  auto* ssl = ::SSL_new(context.native_handle());
  if (ssl == nullptr) throw std::bad_alloc();
  ::SSL_set_bio(ssl, bio, bio);
  ::SSL_set_mode(ssl, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
  ::SSL_set_read_ahead(ssl, 1);
  ::SSL_set_default_read_buffer_len(ssl, limits::kTlsReadBytes);
  return ssl;
}

error_code failure_of(int reason) {
  auto queued = ::ERR_get_error();
  if (reason == SSL_ERROR_ZERO_RETURN) return asio::error::eof;
  if (queued != 0) return {static_cast<int>(queued), asio::error::get_ssl_category()};
  // The socket has ended without TLS's goodbye, or failed.
  if (errno == 0) return asio::ssl::error::stream_truncated;
  return {errno, boost::system::system_category()};
}

}  // namespace

void TlsStream::Free::operator()(SSL* ssl) const { ::SSL_free(ssl); }

TlsStream::TlsStream(tcp::socket socket, asio::ssl::context& context)
    : socket_(std::move(socket)), ssl_(make_ssl(context, over_socket(*socket_))) {}

TlsStream::TlsStream(TlsStream& below, asio::ssl::context& context)
    : below_(&below), ssl_(make_ssl(context, over_tls(below.native()))) {}

// Not SSL_free_buffers: in the middle of a record that frees what is still in use (CVE-2024-4741). Left to itself
// OpenSSL lets go of a buffer when a read finds nothing.
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

asio::awaitable<bool> TlsStream::wait_after(int result, error_code& failed) {
  int reason = ::SSL_get_error(ssl_.get(), result);
  if (reason != SSL_ERROR_WANT_READ && reason != SSL_ERROR_WANT_WRITE) {
    failed = failure_of(reason);
    co_return false;
  }
  auto token = asio::redirect_error(asio::use_awaitable, failed);
  auto what = reason == SSL_ERROR_WANT_READ ? tcp::socket::wait_read : tcp::socket::wait_write;
  // A large buffer that came and went between the objects of a list would leave holes where it was.
  bool is_list = std::exchange(unwaited_, 0) >= kTrickleBytes;
  bool read_again = keep_buffers(is_list) && !is_list;
  if (read_again) co_return true;
  co_await socket().async_wait(what, token);
  co_return !failed;
}

asio::awaitable<TlsStream::Moved> TlsStream::handshake(Side side) {
  if (side == Side::kClient) {
    ::SSL_set_connect_state(ssl_.get());
  } else {
    ::SSL_set_accept_state(ssl_.get());
  }
  for (Moved moved;;) {
    ::ERR_clear_error();
    errno = 0;
    int result = ::SSL_do_handshake(ssl_.get());
    if (result == 1) co_return moved;
    auto waited = co_await wait_after(result, moved.failed);
    if (!waited) co_return moved;
  }
}

asio::awaitable<TlsStream::Moved> TlsStream::read_some(std::span<char> buffer) {
  // A peer that is always ahead of us shall not keep the loop.
  if (unwaited_ >= limits::kDecodeSliceBytes) {
    unwaited_ = 0;
    co_await asio::post(socket().get_executor(), asio::use_awaitable);
  }
  for (Moved moved;;) {
    ::ERR_clear_error();
    errno = 0;
    int result = ::SSL_read_ex(ssl_.get(), buffer.data(), buffer.size(), &moved.bytes);
    unwaited_ += moved.bytes;
    if (result == 1) co_return moved;
    auto waited = co_await wait_after(result, moved.failed);
    if (!waited) co_return moved;
  }
}

asio::awaitable<TlsStream::Moved> TlsStream::write_some(std::span<const char> bytes) {
  for (Moved moved;;) {
    ::ERR_clear_error();
    errno = 0;
    int result = ::SSL_write_ex(ssl_.get(), bytes.data(), bytes.size(), &moved.bytes);
    if (result == 1) co_return moved;
    auto waited = co_await wait_after(result, moved.failed);
    if (!waited) co_return moved;
  }
}

}  // namespace keelson::net
