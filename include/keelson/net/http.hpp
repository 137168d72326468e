// HTTP messages as values, and HttpClient, the interface through which every request leaves this process.
//
// Overview of room net, the only room that uses Boost.Beast:
// - http_client.hpp: an HTTP/1.1 client for one server, with TLS, proxies (proxy.hpp) and a pool of connections.
// - http_server.hpp: an HTTP/1.1 server. server_budget.hpp bounds the connections and memory of all servers together.
// - certified_server.hpp: an HTTPS server whose certificate can be replaced. Sources of certificates:
//   keelson/detail/tls/certificate_files.hpp, memory_certificate.hpp.
//
// Ownership: messages are values. A client owns its connections; it must outlive its calls and streams, and the clock
// must outlive it.
// Threads: everything runs on the single thread of the event loop; nothing is locked, and calls may overlap.
// Cancellation: terminal cancellation unwinds a call and closes its connection; all other calls continue.
// Errors: kTransport (no connection, or it broke before the end of the response), kTimeout, kMalformed (a response
// that is not valid HTTP, or too large), kInvalid (a request that cannot be sent), kFenced (CallOptions::may_send).
// Their text begins as in Go's net/http: `Get "https://10.0.0.1:6443/version": dial tcp 10.0.0.1:6443: …`. An HTTP
// status is never an error here; room kube turns the API server's into errors.
// Tests replace HttpClient with a fake.
//
// Example (test/examples/net.cpp#send):
//   Task<std::string> get_version(net::HttpClient& client) {
//     net::Request request;
//     request.target = "/version";
//     request.headers = {{"Accept", "application/json"}};
//     net::CallOptions options;
//     options.timeout = std::chrono::seconds(10);
//     KEELSON_CO_LET(auto response, co_await client.send(std::move(request), std::move(options)));
//     if (response.status != 200) co_return Error(Error::Kind::kStatus, "status " + std::to_string(response.status));
//     co_return std::move(response.body);
//   }
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/base/result.hpp"
#include "keelson/base/task.hpp"

namespace keelson::net {

// Names and values in the order of the message. A name can occur several times; its case is retained.
using Headers = std::vector<std::pair<std::string, std::string>>;

// The first value of the header `name`, ignoring case; empty if there is none. The view refers to `headers`.
[[nodiscard]] std::string_view header(const Headers& headers, std::string_view name);

// True if `text` may be a header's value: no control character but tab, so that it cannot end its line.
[[nodiscard]] bool is_header_value(std::string_view text);

struct Request {
  std::string method = "GET";
  std::string target = "/";  // path and query, percent-encoded
  // The client writes Host, Content-Length, Connection and Transfer-Encoding itself and skips them here. A name or
  // value that would break its line fails the call with kInvalid; nothing is sent then.
  Headers headers;
  std::string body;
  // Set by a server only: the client, for limits per client. It is its IPv4 address, ::1, or the /64 network of any
  // other IPv6 address, because a single host owns such a network.
  std::string peer;
  // Set by a server only: the client's certificate with its chain, as PEM; null without one. With
  // ClientCertificates::kOptional it is not verified.
  std::shared_ptr<const std::string> client_certificates = nullptr;
};

// At a server, the transport writes Content-Length, Transfer-Encoding and Date; a handler that adds "Connection: close"
// closes the connection after the response.
struct Response {
  int status = 0;
  Headers headers;
  std::string body;
};

// A text as Go's http.Error sends it: browsers show it and guess no other type.
[[nodiscard]] Response text_response(int status, std::string body);
// "404 page not found", as Go's http.NotFound.
[[nodiscard]] Response not_found_response();

// A response whose body is read as it arrives: a watch, or a list that is parsed while it is received.
//
// The caller owns it and reads with a single coroutine at a time. Destroying it before the end of the body closes its
// connection; after the end the connection returns to the pool. It must not outlive its client.
class Stream {
 public:
  virtual ~Stream() = default;
  [[nodiscard]] virtual int status() const = 0;
  [[nodiscard]] virtual const Headers& headers() const = 0;

  // Waits for the next bytes of the body and returns their number, or 0 at its proper end. `buffer` must not be empty
  // and must outlive the call. A body that breaks off is a kTransport error, which later calls return again; no
  // timeout applies, so bound the silence of a watch yourself. Cancellation unwinds and makes the stream unusable.
  [[nodiscard]] virtual Task<std::size_t> read_some(std::span<char> buffer) = 0;

  // Ends the stream as if the server had disconnected: a pending read and every later one return a kTransport error, or
  // 0 if the end of the connection is the proper end of the body. Safe to call while another coroutine reads.
  virtual void stop_reading() = 0;
};

// A reply that is read into memory as a whole, which is every reply except the lists and watches of a cache.
inline constexpr std::size_t kReplyBytes = std::size_t{64} << 20;

struct CallOptions {
  // From the wait for a connection to the last byte of the response; for open(), to the end of its headers. Zero means
  // no limit. The call then fails with kTimeout.
  async::Duration timeout = std::chrono::seconds(60);
  // A response with a larger body fails with kMalformed. Bodies of streams are not limited.
  std::size_t body_limit = kReplyBytes;
  // Called directly before bytes of the request are written to the socket, after every wait for a connection, and again
  // before each further 16 KiB of the body. If it returns false, nothing more is written and the call fails with
  // kFenced. This prevents writes of a leader whose lease may have expired (design section 6, leader/fence.hpp).
  std::function<bool()> may_send = {};
};

// A client of one origin (scheme, host, port). Calls run concurrently, each on a connection of its own.
class HttpClient {
 public:
  virtual ~HttpClient() = default;

  // Sends a request and receives the whole response; any status is a success. The client repeats a request only if it
  // is a GET or HEAD on a reused connection which ended, or was silent for 20 s, before the first byte of the response:
  // then once, on a new connection. Other retries are up to the caller. With too many calls in progress
  // (limits::kConnections) a call waits for a connection.
  [[nodiscard]] virtual Task<Response> send(Request request, CallOptions options) = 0;

  // Sends a request and returns when the headers of the response have arrived; the body is read from the stream.
  // Streams have their own limit, so that watches cannot starve requests; above it a call fails with kTransport.
  [[nodiscard]] virtual Task<std::unique_ptr<Stream>> open(Request request, CallOptions options) = 0;

  // Closes idle connections now, and those in use after their response. For new credentials, and for a server that has
  // stopped to respond.
  virtual void close_idle() = 0;

  // Ends all streams as if the server had disconnected, so that their readers reconnect with the new identity.
  // Requests continue.
  virtual void end_streams() = 0;
};

}  // namespace keelson::net
