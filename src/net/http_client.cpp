#include "keelson/net/http_client.hpp"

#include "keelson/async/timeout.hpp"
#include "keelson/base/assert.hpp"
#include "src/net/body_stream.hpp"
#include "src/net/connection_pool.hpp"
#include "src/net/message_io.hpp"
#include "src/net/request_text.hpp"
#include "src/net/tls_context.hpp"

namespace keelson::net {
namespace asio = boost::asio;

namespace {

using Lease = ConnectionPool::Lease;
using Choice = ConnectionPool::Choice;
using Use = ConnectionPool::Use;

// A server that keeps sending "wait" is not answering (Go: 5).
constexpr int kInterimResponses = 5;

// How far an attempt came: an answer, or an error after which another connection may be tried.
struct Attempt {
  enum class Again { kNever, kOnNewConnection };
  Attempt(Exchange e) : exchange(std::move(e)) {}
  Attempt(Error e, Again a = Again::kNever) : exchange(std::move(e)), again(a) {}
  Result<Exchange> exchange;
  Again again = Again::kNever;
};

bool is_repeatable(const Request& request) { return request.method == "GET" || request.method == "HEAD"; }

class OriginClient final : public HttpClient {
 public:
  OriginClient(async::Clock& clock, ClientOptions options, TlsContext tls)
      : clock_(clock),
        origin_(options.origin),
        may_send_(std::move(options.may_send)),
        dialer_(clock, options, std::move(tls)),
        pool_(clock, dialer_, options.idle_timeout, options.stream_limit) {}

  asio::awaitable<Result<Response>> send(Request request, CallOptions options) override {
    auto answer = receive_whole(request, options.body_limit);
    auto response = co_await within_limit(options.timeout, describe(request, origin_), std::move(answer));
    co_return response;
  }

  asio::awaitable<Result<std::unique_ptr<Stream>>> open(Request request, CallOptions options) override {
    auto what = describe(request, origin_);
    auto answer = begin(request, Use::kStream, std::nullopt);
    auto exchange = co_await within_limit(options.timeout, what, std::move(answer));
    if (!exchange) co_return std::move(exchange).error();
    co_return make_body_stream(std::move(*exchange), std::move(what));
  }

  void close_idle() override { pool_.close_idle(); }

 private:
  // Zero is no limit.
  template <class T>
  asio::awaitable<Result<T>> within_limit(async::Duration limit, std::string what, asio::awaitable<Result<T>> work) {
    if (limit != async::Duration::zero()) work = async::with_timeout(clock_, limit, std::move(what), std::move(work));
    auto result = co_await std::move(work);
    co_return result;
  }

  asio::awaitable<Result<Response>> receive_whole(Request& request, std::size_t body_limit) {
    auto exchange = co_await begin(request, Use::kRequest, body_limit);
    if (!exchange) co_return std::move(exchange).error();
    auto read = co_await read_body(exchange->lease.connection(), *exchange->parser);
    if (!read) co_return std::move(read).error().within(describe(request, origin_));
    auto response = std::move(exchange->parser->response());
    if (exchange->parser->keep_alive()) exchange->lease.give_back();
    co_return response;
  }

  // Sends the request and reads the header of its answer.
  asio::awaitable<Result<Exchange>> begin(Request& request, Use use, std::optional<std::size_t> body_limit) {
    auto last = co_await attempt(request, use, body_limit, Choice::kIdleOrNew);
    if (last.again == Attempt::Again::kOnNewConnection) {
      auto second = co_await attempt(request, use, body_limit, Choice::kNew);
      co_return with_name(std::move(second), request);
    }
    co_return with_name(std::move(last), request);
  }

  Result<Exchange> with_name(Attempt attempt, const Request& request) const {
    if (!attempt.exchange) return std::move(attempt.exchange).error().within(describe(request, origin_));
    return std::move(attempt.exchange);
  }

  asio::awaitable<Attempt> attempt(Request& request, Use use, std::optional<std::size_t> body_limit, Choice choice) {
    auto head = request_head(request, origin_);
    if (!head) co_return std::move(head).error();
    auto lease = co_await pool_.acquire(use, choice);
    if (!lease) co_return std::move(lease).error();
    if (may_send_ && !may_send_(request)) {
      lease->give_back();
      co_return Error(Error::Kind::kFenced, "not sent: this process may not write any more");
    }
    // A kept connection may be closed by the peer in this very moment; no answer means it was not acted upon.
    bool repeatable = lease->reused() && is_repeatable(request);
    auto again = repeatable ? Attempt::Again::kOnNewConnection : Attempt::Again::kNever;
    auto wrote = co_await write_message(lease->connection(), std::move(*head), request.body);
    if (!wrote) co_return Attempt(std::move(wrote).error(), again);

    auto expect =
        request.method == "HEAD" ? MessageParser::Expect::kResponseWithoutBody : MessageParser::Expect::kResponse;
    for (int interim = 0; interim <= kInterimResponses; ++interim) {
      auto parser = std::make_unique<MessageParser>(expect, body_limit);
      auto read = co_await read_header(lease->connection(), *parser);
      bool silent = interim == 0 && !parser->has_begun();
      bool lost = !read && read.error().kind == Error::Kind::kTransport;
      if (!read) co_return Attempt(std::move(read).error(), silent && lost ? again : Attempt::Again::kNever);
      auto status = parser->response().status;
      if (status == 101) co_return malformed("malformed HTTP response: the server switched protocols unasked");
      if (status / 100 != 1) co_return Exchange(std::move(*lease), std::move(parser));
    }
    co_return malformed("malformed HTTP response: too many interim responses");
  }

  async::Clock& clock_;
  Origin origin_;
  std::function<bool(const Request&)> may_send_;
  Dialer dialer_;
  ConnectionPool pool_;
};

}  // namespace

Result<std::unique_ptr<HttpClient>> make_http_client(asio::any_io_executor, async::Clock& clock,
                                                     ClientOptions options) {
  TlsContext tls;
  if (options.origin.tls) {
    auto context = make_client_context(options.tls);
    if (!context) return std::move(context).error();
    tls = std::move(*context);
  }
  if (!is_valid_origin(options.origin)) {
    return invalid("invalid server address \"" + options.origin.host + ":" + options.origin.port + "\"");
  }
  return std::unique_ptr<HttpClient>(std::make_unique<OriginClient>(clock, std::move(options), std::move(tls)));
}

}  // namespace keelson::net
