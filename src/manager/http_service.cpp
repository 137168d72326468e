#include "keelson/manager/http_service.hpp"

namespace keelson::manager {
namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

// Scrapes and probes are short: one that is still running at the end gets so long.
constexpr auto kLastRequests = 2s;

class Service final : public HttpService {
 public:
  Service(std::string name, Logger log, std::string address, std::unique_ptr<net::HttpServer> server)
      : name_(std::move(name)), log_(std::move(log)), address_(std::move(address)), server_(std::move(server)) {}

  std::uint16_t port() const override { return server_->port(); }
  std::string name() const override { return name_; }
  asio::awaitable<Result<void>> start() override {
    server_->start();
    // kubebuilder's end-to-end test greps for the second text.
    if (name_ == "metrics") {
      log_.info("Serving metrics server", {{"bindAddress", address_}, {"secure", false}});
    } else {
      log_.info("starting server", {{"name", name_}, {"addr", address_}});
    }
    co_return Result<void>();
  }
  asio::awaitable<void> stop() override { co_await server_->stop(kLastRequests); }

 private:
  std::string name_;
  Logger log_;
  std::string address_;
  std::unique_ptr<net::HttpServer> server_;
};

asio::awaitable<net::ServerReply> serve_health(const HealthChecks& checks, net::Request request) {
  net::ServerReply reply;
  reply.response = answer_health(checks, request);
  co_return reply;
}

asio::awaitable<net::ServerReply> serve_metrics(metrics::Registry& registry, net::Request request) {
  net::ServerReply reply;
  auto path = request.target.substr(0, request.target.find('?'));
  if (path == "/metrics") {
    reply.response.status = 200;
    reply.response.headers = {{"Content-Type", std::string(metrics::kTextContentType)}};
    reply.response.body = registry.text();
  } else {
    reply.response.status = 404;
    reply.response.headers = {{"Content-Type", "text/plain; charset=utf-8"}};
    reply.response.body = "404 page not found\n";
  }
  co_return reply;
}

Result<std::unique_ptr<HttpService>> make_service(asio::any_io_executor executor, async::Clock& clock, Logger log,
                                                  std::string name, std::string_view bind_address,
                                                  net::Handler handler) {
  auto address = net::parse_bind_address(bind_address);
  if (!address) return std::move(address.error());
  net::ServerOptions options;
  options.host = address->host;
  options.port = address->port;
  auto server = net::make_http_server(std::move(executor), clock, log, std::move(handler), std::move(options));
  if (!server) return std::move(server.error());
  auto text = std::string(bind_address);
  return std::unique_ptr<HttpService>(
      std::make_unique<Service>(std::move(name), std::move(log), std::move(text), std::move(*server)));
}

}  // namespace

Result<std::unique_ptr<HttpService>> make_health_service(asio::any_io_executor executor, async::Clock& clock,
                                                         Logger log, std::string_view bind_address,
                                                         const HealthChecks& checks) {
  auto handler = [&checks](net::Request request) { return serve_health(checks, std::move(request)); };
  return make_service(std::move(executor), clock, std::move(log), "health probe", bind_address, handler);
}

Result<std::unique_ptr<HttpService>> make_metrics_service(asio::any_io_executor executor, async::Clock& clock,
                                                          Logger log, std::string_view bind_address,
                                                          metrics::Registry& registry) {
  auto handler = [&registry](net::Request request) { return serve_metrics(registry, std::move(request)); };
  return make_service(std::move(executor), clock, log.named("metrics"), "metrics", bind_address, handler);
}

}  // namespace keelson::manager
