// A small HTTP/1.1 server for our own endpoints: health, metrics, webhooks.
//
// Bounded: header and body size, time for a header, a body and an idle connection; connections and memory by the budget
// that all servers of the process share (server_budget.hpp).
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
#include "keelson/net/http.hpp"
#include "keelson/net/server_budget.hpp"

namespace keelson::net {

struct ServerTls {
  std::string certificate_pem;  // leaf first, then the chain
  std::string key_pem;
  std::string client_ca_pem;  // not empty: a client certificate is required and verified
};

// A response that is written piece by piece (a watch): empty piece ends it.
struct StreamingBody {
  // Next piece, or nullopt at the end. Cancelled when the client goes away.
  std::function<boost::asio::awaitable<std::optional<std::string>>()> next;
  // The body ends by itself (a long list). What the client sends meanwhile is its next request, or a half-close. The
  // session notices that the client has disconnected when it cannot write a piece.
  bool is_finite = false;
};

struct ServerReply {
  Response response;                       // body is used when `streaming` is not set
  std::optional<StreamingBody> streaming;  // chunked
};

using Handler = std::function<boost::asio::awaitable<ServerReply>(Request)>;

// kIgnore: no byte of a body is read; the handler gets an empty one, and the connection ends after its reply.
enum class Bodies { kRead, kIgnore };

struct ServerOptions {
  std::string host;        // empty: all addresses, IPv6 and IPv4
  std::uint16_t port = 0;  // 0: any free one
  std::optional<ServerTls> tls;
  ServerBudget* budget = nullptr;  // shared with the other servers of the process; null: one for this server alone
  Bodies bodies = Bodies::kRead;
  std::size_t body_limit = std::size_t{8} << 20;
  std::function<Response()> too_large;  // the reply to a body over the limit; empty: 413 in plain text
  async::Duration header_timeout = std::chrono::seconds(32);  // controller-runtime: ReadHeaderTimeout
  async::Duration body_timeout = std::chrono::seconds(60);
  async::Duration idle_timeout = std::chrono::seconds(90);  // controller-runtime: IdleTimeout
};

class HttpServer {
 public:
  virtual ~HttpServer() = default;

  // Bound and listening from construction (make_http_server); start() begins to accept.
  virtual void start() = 0;
  [[nodiscard]] virtual std::uint16_t port() const = 0;

  // The certificate of connections made from now on; on an error the old one stays.
  [[nodiscard]] virtual Result<void> set_tls(ServerTls tls) = 0;

  // Stops accepting, lets requests in progress finish for `grace`, then ends every connection.
  [[nodiscard]] virtual boost::asio::awaitable<void> stop(async::Duration grace) = 0;
  // Ends the grace of a stop() in progress.
  virtual void abort() = 0;
};

// "error listening on :8081: …" when the address is taken. ":8081", "127.0.0.1:0", "[::1]:80" by parse_bind_address.
[[nodiscard]] Result<std::unique_ptr<HttpServer>> make_http_server(boost::asio::any_io_executor executor,
                                                                   async::Clock& clock, Logger log, Handler handler,
                                                                   ServerOptions options);

struct BindAddress {
  std::string host;
  std::uint16_t port = 0;
};
[[nodiscard]] Result<BindAddress> parse_bind_address(std::string_view text);

}  // namespace keelson::net
