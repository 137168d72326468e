#include "keelson/detail/net/http_client.hpp"

#include "keelson/base/try.hpp"
#include "keelson/detail/async/timeout.hpp"
#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/tls/context.hpp"
#include "src/net/body_stream.hpp"
#include "src/net/connection_pool.hpp"
#include "src/net/message_io.hpp"
#include "src/net/request_text.hpp"
#include "src/net/tunnel.hpp"

namespace keelson::net {
namespace asio = boost::asio;

namespace {

using Lease = ConnectionPool::Lease;
using Choice = ConnectionPool::Choice;
using Use = ConnectionPool::Use;

// The maximum number of interim (1xx) responses, as in Go.
constexpr int kInterimResponses = 5;

// A reused connection without a first byte of the response after this time is treated as dead. The API server queues a
// request for at most 15 s (a quarter of its request timeout), so a busy server does not get the request twice.
constexpr std::chrono::seconds kFirstByte(20);

// The bodies that all calls of a client are reading together: one large list and a few objects. The limits of the
// calls alone would add up to more than the memory of the process.
constexpr std::size_t kBodiesBytes = std::size_t{40} << 20;

// The part of kBodiesBytes of one call.
class HeldBody {
 public:
  explicit HeldBody(std::size_t& all) : all_(all) {}
  HeldBody(const HeldBody&) = delete;
  HeldBody& operator=(const HeldBody&) = delete;
  ~HeldBody() { all_ -= bytes_; }

  // A single body is limited by its call alone.
  [[nodiscard]] Result<void> grow_to(std::size_t bytes) {
    all_ += bytes - bytes_;
    bytes_ = bytes;
    if (all_ <= kBodiesBytes || all_ == bytes_) return {};
    return transport_error("the responses that are being received take more than " + std::to_string(kBodiesBytes) +
                           " bytes: repeat the request later");
  }

 private:
  std::size_t& all_;
  std::size_t bytes_ = 0;
};

// A request, from the wait for a connection to the end of its response.
struct Call {
  Call(Request r, CallOptions o, Use u) : request(std::move(r)), options(std::move(o)), use(u) {}
  Request request;
  CallOptions options;
  Use use;
  bool is_sent = false;
};

// The result of an attempt: a response, or an error, after which a new connection may be tried.
struct AttemptResult {
  enum class Again { kNever, kOnNewConnection };
  AttemptResult(Exchange e) : exchange(std::move(e)) {}
  AttemptResult(Error e, Again a = Again::kNever) : exchange(std::move(e)), again(a) {}
  Result<Exchange> exchange;
  Again again = Again::kNever;
};

// The proxy that forwards the requests instead of opening a tunnel.
std::optional<Proxy> forwarder_of(const ClientOptions& options) {
  bool reads = options.proxy && is_forwarding(*options.proxy, options.origin);
  return reads ? options.proxy : std::nullopt;
}

// The certificate of the proxy need not be signed by the CA of the cluster.
Result<TlsContext> proxy_context(const ClientOptions& options) {
  if (!options.proxy || options.proxy->kind != Proxy::Kind::kHttps) return TlsContext();
  return tls::make_client_context(options.tls, tls::Roots::kGivenAndSystem);
}

bool is_repeatable(const Request& request) { return request.method == "GET" || request.method == "HEAD"; }

class OriginClient final : public HttpClient {
 public:
  OriginClient(async::Clock& clock, ClientOptions options, TlsContext tls, TlsContext proxy_tls)
      : clock_(clock),
        origin_(options.origin),
        forwarder_(forwarder_of(options)),
        delivery_timeout_(options.delivery_timeout),
        dialer_(clock, options, std::move(tls), std::move(proxy_tls)),
        pool_(clock, dialer_, options.idle_timeout, options.stream_limit) {}

  Task<Response> send(Request request, CallOptions options) override {
    Call call(std::move(request), std::move(options), Use::kRequest);
    auto answer = receive_whole(call);
    co_return co_await within_limit(call, std::move(answer));
  }

  Task<std::unique_ptr<Stream>> open(Request request, CallOptions options) override {
    Call call(std::move(request), std::move(options), Use::kStream);
    auto answer = begin(call);
    KEELSON_CO_LET(auto exchange, co_await within_limit(call, std::move(answer)));
    co_return make_body_stream(std::move(exchange), describe(call.request, origin_));
  }

  void close_idle() override { pool_.close_idle(); }
  void end_streams() override { pool_.end_streams(); }

 private:
  // A timeout of zero means no limit. A server that did not respond in time may have disappeared without closing its
  // connections: then the idle ones are dead too, and each would cost a caller the same timeout again.
  template <class T>
  Task<T> within_limit(Call& call, Task<T> work) {
    auto limit = call.options.timeout;
    if (limit != async::Duration::zero()) {
      work = async::with_timeout(clock_, limit, describe(call.request, origin_), std::move(work));
    }
    auto result = co_await std::move(work);
    if (!result && result.error().kind == Error::Kind::kTimeout && call.is_sent) pool_.close_idle();
    co_return result;
  }

  Task<Response> receive_whole(Call& call) {
    KEELSON_CO_LET(auto exchange, co_await begin(call));
    HeldBody held(held_bytes_);
    auto may_grow = [&held](std::size_t bytes) { return held.grow_to(bytes); };
    auto read = co_await read_body(exchange.lease.connection(), *exchange.parser, std::move(may_grow));
    if (!read) co_return std::move(read).error().with_context(describe(call.request, origin_));
    auto response = std::move(exchange.parser->response());
    if (exchange.parser->keep_alive()) exchange.lease.give_back();
    co_return response;
  }

  // Sends the request and reads the header of its response.
  Task<Exchange> begin(Call& call) {
    auto ends = pool_.stream_ends();
    auto last = co_await attempt(call, Choice::kIdleOrNew);
    bool was_ended = call.use == Use::kStream && pool_.stream_ends() != ends;
    if (last.again == AttemptResult::Again::kOnNewConnection && !was_ended) {
      auto second = co_await attempt(call, Choice::kNew);
      co_return with_name(std::move(second), call.request);
    }
    co_return with_name(std::move(last), call.request);
  }

  Result<Exchange> with_name(AttemptResult attempt, const Request& request) const {
    if (!attempt.exchange) return std::move(attempt.exchange).error().with_context(describe(request, origin_));
    return std::move(attempt.exchange);
  }

  asio::awaitable<AttemptResult> attempt(Call& call, Choice choice) {
    const Request& request = call.request;
    KEELSON_CO_LET(auto head, request_head(request, origin_, forwarder_));
    KEELSON_CO_LET(auto lease, co_await pool_.acquire(call.use, choice));
    // The peer may close a reused connection at the same time; without a response the request was not executed.
    bool repeatable = lease.reused() && is_repeatable(request);
    auto again = repeatable ? AttemptResult::Again::kOnNewConnection : AttemptResult::Again::kNever;
    call.is_sent = true;
    if (!is_repeatable(request)) lease.connection().limit_delivery(delivery_timeout_);
    auto wrote = co_await write_message(lease.connection(), std::move(head), request.body, call.options.may_send);
    if (!wrote) co_return lost(std::move(wrote).error(), again);
    if (repeatable) {
      auto answered = co_await first_byte(lease.connection());
      if (!answered) co_return lost(std::move(answered).error(), again);
    }

    auto body_limit = call.use == Use::kStream ? std::nullopt : std::optional(call.options.body_limit);
    auto expect =
        request.method == "HEAD" ? MessageParser::Expect::kResponseWithoutBody : MessageParser::Expect::kResponse;
    for (int interim = 0; interim <= kInterimResponses; ++interim) {
      auto parser = std::make_unique<MessageParser>(expect, body_limit);
      auto read = co_await read_header(lease.connection(), *parser);
      bool silent = interim == 0 && !parser->has_begun();
      if (!read && silent) co_return lost(std::move(read).error(), again);
      if (!read) co_return std::move(read).error();
      auto status = parser->response().status;
      if (status == 101) {
        co_return malformed_error("malformed HTTP response: the server switched protocols without a request for it");
      }
      if (status / 100 != 1) co_return Exchange(std::move(lease), std::move(parser));
    }
    co_return malformed_error("malformed HTTP response: too many interim responses");
  }

  // Whether a response begins in time. Waiting reads nothing, so a canceled wait leaves no partly read TLS record.
  Task<void> first_byte(Connection& connection) {
    auto waiting = connection.wait_readable();
    auto came = co_await async::finish_within(clock_, kFirstByte, std::move(waiting));
    if (!came) co_return timeout_error("no answer within 20s on a reused connection");
    co_return Result<void>();
  }

  // The connection ended without a byte of a response: the idle connections are probably dead too.
  AttemptResult lost(Error error, AttemptResult::Again again) {
    bool is_dead = error.kind == Error::Kind::kTransport || error.kind == Error::Kind::kTimeout;
    if (!is_dead) return {std::move(error)};
    pool_.close_idle();
    return {std::move(error), again};
  }

  async::Clock& clock_;
  Origin origin_;
  std::optional<Proxy> forwarder_;
  async::Duration delivery_timeout_;
  Dialer dialer_;
  ConnectionPool pool_;
  std::size_t held_bytes_ = 0;  // of the bodies that are being received
};

}  // namespace

Result<std::unique_ptr<HttpClient>> make_http_client(asio::any_io_executor, async::Clock& clock,
                                                     ClientOptions options) {
  TlsContext tls;
  if (options.origin.tls) {
    KEELSON_LET(tls, tls::make_client_context(options.tls));
  }
  KEELSON_LET(auto proxy_tls, proxy_context(options));
  if (!is_valid_origin(options.origin)) {
    return invalid_error("invalid server address \"" + options.origin.host + ":" + options.origin.port + "\"");
  }
  return std::unique_ptr<HttpClient>(
      std::make_unique<OriginClient>(clock, std::move(options), std::move(tls), std::move(proxy_tls)));
}

}  // namespace keelson::net
