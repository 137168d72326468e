#include "keelson/detail/webhook/server.hpp"

#include "keelson/detail/net/certified_server.hpp"
#include "keelson/detail/webhook/limits.hpp"
#include "src/webhook/admission_handler.hpp"

namespace keelson::webhook {
namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

// Reviews take milliseconds: at the stop, running reviews have this time to finish.
constexpr auto kLastReviews = 5s;

class HttpsServer final : public Server {
 public:
  HttpsServer(asio::any_io_executor executor, async::Clock& clock, const Logger& log, metrics::Registry& registry,
              net::ServerBudget& budget, std::vector<ServedWebhook> webhooks, const ServerOptions& options)
      : log_(log.named("webhook")),
        host_(options.host),
        handler_(clock, log, registry, budget, std::move(webhooks)),
        https_(
            std::move(executor), clock, log_,
            [this](net::Request request) { return handler_.serve(std::move(request)); }, http_options(options, budget),
            [this] { tell_that_it_listens(); }) {}

  std::string name() const override { return "webhook server"; }

  Task<void> start() override {
    log_.info("Starting webhook server");
    co_return Result<void>();
  }

  asio::awaitable<void> stop() override {
    if (is_listening()) log_.info("Shutting down webhook server with timeout of 5s");
    co_await https_.stop(kLastReviews);
  }
  void abort() override { https_.abort(); }

  Result<void> use(tls::ServerTls tls) override {
    auto used = https_.use(std::move(tls));
    if (used || used.error().kind != Error::Kind::kTransport) return used;
    return std::move(used.error()).with_context("--webhook-port");
  }
  void wait_because(const Error& reason) override { https_.wait_because(reason); }
  std::uint16_t port() const override { return https_.port(); }
  std::optional<async::WallTime> certificate_expires() const override { return https_.expires(); }

  Result<void> check() const override {
    if (is_listening()) return {};
    auto error = transport_error("webhook server has not been started yet");
    if (https_.reason()) error.text += ": " + https_.reason()->message();
    return error;
  }

 private:
  [[nodiscard]] bool is_listening() const { return https_.port() != 0; }
  void tell_that_it_listens() const {
    log_.info("Serving webhook server", {{"host", host_}, {"port", int{https_.port()}}});
  }
  [[nodiscard]] static net::HttpServerOptions http_options(const ServerOptions& from, net::ServerBudget& budget) {
    net::HttpServerOptions options;
    options.host = from.host;
    options.port = from.port;
    options.budget = &budget;
    options.body_limit = limits::kAdmissionBytes;
    options.too_large = AdmissionHandler::too_large;
    return options;
  }

  Logger log_;
  std::string host_;
  AdmissionHandler handler_;
  net::CertifiedServer https_;
};

}  // namespace

std::unique_ptr<Server> make_server(asio::any_io_executor executor, async::Clock& clock, const Logger& log,
                                    metrics::Registry& registry, net::ServerBudget& budget,
                                    std::vector<ServedWebhook> webhooks, const ServerOptions& options) {
  return std::make_unique<HttpsServer>(std::move(executor), clock, log, registry, budget, std::move(webhooks), options);
}

}  // namespace keelson::webhook
