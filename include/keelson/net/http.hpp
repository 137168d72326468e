// HTTP messages as values, and the seam through which everything leaves this process.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/base/limits.hpp"
#include "keelson/base/result.hpp"

namespace keelson::net {

using Headers = std::vector<std::pair<std::string, std::string>>;

// The first value of a header, its name in any case; empty when it is not there.
[[nodiscard]] std::string_view header(const Headers& headers, std::string_view name);

// True if `text` may be a header's value: no control character but tab, so that it cannot end its line.
[[nodiscard]] bool is_header_value(std::string_view text);

struct Request {
  std::string method = "GET";
  std::string target = "/";  // path and query, percent-encoded
  Headers headers;           // without Host, Content-Length, Connection: the transport writes those
  std::string body;
  // At a server, what counts as one client: its IPv4 address, or the /64 network of its IPv6 address. Elsewhere empty.
  std::string peer;
};

struct Response {
  int status = 0;
  Headers headers;
  std::string body;
};

// A response whose body is read as it arrives. Destroying it before the end closes its connection.
class Stream {
 public:
  virtual ~Stream() = default;
  [[nodiscard]] virtual int status() const = 0;
  [[nodiscard]] virtual const Headers& headers() const = 0;

  // At least one byte of the body into `buffer`, or 0 at its proper end. A body that breaks off is a
  // kTransport error. Terminal cancellation unwinds; the stream is lost then.
  [[nodiscard]] virtual boost::asio::awaitable<Result<std::size_t>> read_some(std::span<char> buffer) = 0;

  // As if the server had gone: a read that waits, and every later one, ends with a kTransport error, or with 0.
  virtual void stop_reading() = 0;
};

struct CallOptions {
  // To the last byte of the response, or for open() to its headers; zero: no limit.
  async::Duration timeout = std::chrono::seconds(60);
  // Larger bodies are a kMalformed error.
  std::size_t body_limit = limits::kReplyBytes;
  // Asked directly before bytes of the request go to the socket, after every wait for a connection; false: they do not,
  // and the call fails with kFenced. How a leader is kept from writing after its lease (design section 6).
  std::function<bool()> may_send = {};
};

// One origin (scheme, host, port) and its connections.
class HttpClient {
 public:
  virtual ~HttpClient() = default;

  // Any status is a success here. Never repeated by this class, but for an idempotent request whose reused
  // connection turned out to be closed before a byte of the answer came.
  [[nodiscard]] virtual boost::asio::awaitable<Result<Response>> send(Request request, CallOptions options) = 0;

  // On a connection of its own, or an idle one; the pool gets it back when the body was read to its end.
  [[nodiscard]] virtual boost::asio::awaitable<Result<std::unique_ptr<Stream>>> open(Request request,
                                                                                     CallOptions options) = 0;

  // Closes idle connections (new credentials) and lets those in use end with their response.
  virtual void close_idle() = 0;

  // Ends streams as if their server had gone (credentials that shall not be used any more); requests are let be.
  virtual void end_streams() = 0;
};

}  // namespace keelson::net
