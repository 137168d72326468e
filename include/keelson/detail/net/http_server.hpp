// An HTTP/1.1 server for our own endpoints: probes, metrics, webhooks, and the sandbox.
//
// It is safe against hostile clients: the sizes of headers and bodies, and the times for a TLS handshake, a header, a
// body, a reply and an idle connection are limited here; the connections and memory of all servers of the process are
// limited by server_budget.hpp. Log lines that a client can cause at will have a limited rate.
//
// Ownership: the caller owns the server and must await stop() before destroying it. The clock, the budget and
// everything that the handler refers to must outlive it.
// Cancellation: a handler is canceled when the grace period of stop() ends. A client that disconnects does not cancel
// its handler, because writes may be half done; it cancels a StreamingBody that is not finite.
//
// Example (test/examples/net.cpp#serve):
//   asio::awaitable<net::ServerReply> answer(net::Request request) {
//     const int status = request.target == "/healthz" ? 200 : 404;
//     net::ServerReply reply;
//     reply.response = {status, {{"Content-Type", "text/plain"}}, request.target + "\n"};
//     co_return reply;
//   }
//
//   Result<std::unique_ptr<net::HttpServer>> serve(asio::any_io_executor executor, async::Clock& clock, Logger log) {
//     net::HttpServerOptions options{.host = "127.0.0.1", .port = 8081};
//     KEELSON_LET(auto server, net::make_http_server(executor, clock, log, answer, std::move(options)));
//     server->start();
//     return server;
//   }
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/base/log.hpp"
#include "keelson/detail/net/server_budget.hpp"
#include "keelson/detail/tls/options.hpp"
#include "keelson/net/http.hpp"

namespace keelson::net {

// A response body that is written piece by piece: a watch, or a long list. It is sent with chunked encoding, and to a
// client of HTTP/1.0 until the connection closes.
struct StreamingBody {
  // Waits for the next piece; nullopt or an empty piece ends the body. The server calls it again when the former piece
  // is written, so a slow client slows it down. It is canceled when the client disconnects (see is_finite). An
  // exception aborts the body (broken_body.hpp).
  std::function<boost::asio::awaitable<std::optional<std::string>>()> next;
  // True: the body ends by itself (a long list). Bytes that arrive meanwhile are the client's next request, or its
  // half-close, and do not cancel next(); a disconnected client is detected when a piece cannot be written.
  // False: the body ends when the client disconnects (a watch). Any byte from the client counts as disconnecting.
  bool is_finite = false;
};

struct ServerReply {
  Response response;                       // its body is sent if `streaming` is not set
  std::optional<StreamingBody> streaming;  // then `response` has the status and headers
};

// Answers a request; the calls of different connections overlap. The handler routes by path itself (request_path.hpp)
// and receives HEAD requests as such: the server drops the body of their reply. An exception is answered with 500
// "internal error" and logged as "http: handler failed". A coroutine lambda must not capture: use a function.
using Handler = std::function<boost::asio::awaitable<ServerReply>(Request)>;

// kIgnore, for endpoints that only answer GET: no byte of a body is read. The handler receives an empty body, and a
// connection whose request had one is closed after the reply. kShort, for settings: a body with a Content-Length of at
// most kShortBodyBytes is read, and others are ignored in the same way.
enum class Bodies { kRead, kIgnore, kShort };
inline constexpr std::size_t kShortBodyBytes = 1024;  // a level, or a reason and a duration

struct HttpServerOptions {
  std::string host;        // an address, or a name that is resolved once; empty: all addresses, IPv6 and IPv4
  std::uint16_t port = 0;  // 0: any free port, which HttpServer::port() returns
  std::optional<tls::ServerTls> tls;  // absent: plain HTTP
  ServerBudget* budget = nullptr;  // shared with the other servers of the process; null: a budget for this server alone
  Bodies bodies = Bodies::kRead;
  std::size_t body_limit = std::size_t{8} << 20;  // in bytes
  std::function<Response()> too_large;            // the reply to a body over the limit; empty: 413 in plain text
  // Limits each of these: a TLS handshake, the wait for the first request, and the headers of a request.
  async::Duration header_timeout = std::chrono::seconds(32);  // controller-runtime: ReadHeaderTimeout
  // For the body of a request, and for writing a reply or a piece of it.
  async::Duration body_timeout = std::chrono::seconds(60);
  // For the wait for the next request on a connection.
  async::Duration idle_timeout = std::chrono::seconds(90);  // controller-runtime: IdleTimeout
};

class HttpServer {
 public:
  virtual ~HttpServer() = default;

  // Begins to accept connections. The server listens from make_http_server() on: clients that connect before start()
  // wait in the kernel's queue.
  virtual void start() = 0;
  [[nodiscard]] virtual std::uint16_t port() const = 0;

  // Replaces the certificate for new connections. Fails with kInvalid if the certificate or key is invalid;
  // the former one then stays in use. Only for a server that was made with TLS (asserted).
  [[nodiscard]] virtual Result<void> set_tls(tls::ServerTls tls) = 0;

  // Closes the port and idle connections, waits up to `grace` for requests in progress, then cancels them and closes
  // all connections. Handlers have ended when it returns.
  [[nodiscard]] virtual boost::asio::awaitable<void> stop(async::Duration grace) = 0;
  // Ends the grace period of a stop() in progress: its handlers are canceled now.
  virtual void abort() = 0;
};

// Binds the port. Fails with kTransport "error listening on :8081: …: address already in use", as controller-runtime
// words it, and with kInvalid if the certificate or key is invalid.
[[nodiscard]] Result<std::unique_ptr<HttpServer>> make_http_server(boost::asio::any_io_executor executor,
                                                                   async::Clock& clock, Logger log, Handler handler,
                                                                   HttpServerOptions options);

// The address in a flag such as --health-probe-bind-address.
struct BindAddress {
  std::string host;        // without brackets; empty: all addresses
  std::uint16_t port = 0;  // 0: any free port
};
// Parses ":8081", "127.0.0.1:0" or "[::1]:80". Fails with kInvalid; the text names the address.
[[nodiscard]] Result<BindAddress> parse_bind_address(std::string_view text);

}  // namespace keelson::net
