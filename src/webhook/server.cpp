#include "keelson/webhook/server.hpp"

#include <optional>

#include "keelson/base/assert.hpp"
#include "keelson/base/limits.hpp"
#include "src/webhook/admission_handler.hpp"

namespace keelson::webhook {
namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

// Reviews take milliseconds: one that is still running at the end gets so long.
constexpr auto kLastReviews = 5s;

class HttpsServer final : public Server {
 public:
  HttpsServer(asio::any_io_executor executor, async::Clock& clock, const Logger& log, metrics::Registry& registry,
              std::vector<KindWebhooks> kinds, ServerOptions options)
      : executor_(std::move(executor)),
        clock_(clock),
        log_(log.named("webhook")),
        options_(std::move(options)),
        handler_(clock, log, registry, std::move(kinds)) {}

  std::string name() const override { return "webhook server"; }

  asio::awaitable<Result<void>> start() override {
    log_.info("Starting webhook server");
    co_return Result<void>();
  }

  asio::awaitable<void> stop() override {
    is_stopped_ = true;
    if (!server_) co_return;
    log_.info("Shutting down webhook server with timeout of 5s");
    co_await server_->stop(kLastReviews);
  }

  Result<void> use(net::ServerTls tls) override {
    if (is_stopped_) return {};
    if (server_) return server_->set_tls(std::move(tls));
    auto made = net::make_http_server(
        executor_, clock_, log_, [this](net::Request request) { return handler_.serve(std::move(request)); },
        http_options(std::move(tls)));
    if (!made) return std::move(made.error());
    server_ = std::move(*made);
    server_->start();
    log_.info("Serving webhook server", {{"host", options_.host}, {"port", int{server_->port()}}});
    return {};
  }

  void wait_because(const Error& reason) override { reason_ = reason; }

  std::uint16_t port() const override { return server_ ? server_->port() : std::uint16_t{0}; }

  Result<void> check() const override {
    if (server_) return {};
    auto error = transport("webhook server has not been started yet");
    if (reason_) error.text += ": " + reason_->message();
    return error;
  }

 private:
  [[nodiscard]] net::ServerOptions http_options(net::ServerTls tls) const {
    net::ServerOptions options;
    options.host = options_.host;
    options.port = options_.port;
    options.tls = std::move(tls);
    options.max_connections = options_.max_connections;
    options.body_limit = limits::kAdmissionBytes;
    options.too_large = AdmissionHandler::too_large;
    return options;
  }

  asio::any_io_executor executor_;
  async::Clock& clock_;
  Logger log_;
  ServerOptions options_;
  AdmissionHandler handler_;
  std::unique_ptr<net::HttpServer> server_;  // none before the first certificate
  std::optional<Error> reason_;
  bool is_stopped_ = false;
};

}  // namespace

std::unique_ptr<Server> make_server(asio::any_io_executor executor, async::Clock& clock, const Logger& log,
                                    metrics::Registry& registry, std::vector<KindWebhooks> kinds,
                                    ServerOptions options) {
  return std::make_unique<HttpsServer>(std::move(executor), clock, log, registry, std::move(kinds), std::move(options));
}

}  // namespace keelson::webhook
