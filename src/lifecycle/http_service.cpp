#include "keelson/detail/lifecycle/http_service.hpp"

#include "keelson/base/try.hpp"
#include "keelson/detail/net/certified_server.hpp"
#include "keelson/detail/net/request_path.hpp"

namespace keelson::lifecycle {
namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

// The time for scrapes and probes that are still running at the stop; they are short.
constexpr auto kLastRequests = 2s;
constexpr const char* kHealth = "health probe";
constexpr const char* kMetrics = "metrics";

// kubebuilder's end-to-end test searches the log for this message.
void tell_metrics_are_served(const Logger& log, const std::string& address, bool is_secure) {
  log.info("Serving metrics server", {{"bindAddress", address}, {"secure", is_secure}});
}

class PlainService final : public HttpService {
 public:
  // `tell` logs that the server is serving.
  PlainService(std::string name, std::unique_ptr<net::HttpServer> server, std::function<void()> tell)
      : name_(std::move(name)), server_(std::move(server)), tell_(std::move(tell)) {}

  std::uint16_t port() const override { return server_->port(); }
  std::string name() const override { return name_; }
  Task<void> start() override {
    server_->start();
    tell_();
    co_return Result<void>();
  }
  asio::awaitable<void> stop() override { co_await server_->stop(kLastRequests); }
  void abort() override { server_->abort(); }

 private:
  std::string name_;
  std::unique_ptr<net::HttpServer> server_;
  std::function<void()> tell_;
};

class SecureService final : public SecureHttpService {
 public:
  SecureService(asio::any_io_executor executor, async::Clock& clock, const Logger& log, std::string address,
                net::Handler handler, net::HttpServerOptions options)
      : log_(log),
        address_(std::move(address)),
        https_(std::move(executor), clock, log, std::move(handler), std::move(options),
               [this] { tell_metrics_are_served(log_, address_, true); }) {}

  std::uint16_t port() const override { return https_.port(); }
  std::string name() const override { return kMetrics; }
  Result<void> use(tls::ServerTls tls) override {
    auto used = https_.use(std::move(tls));
    if (used || used.error().kind != Error::Kind::kTransport) return used;
    return std::move(used.error()).with_context("--metrics-bind-address");
  }
  void wait_because(const Error& reason) override { https_.wait_because(reason); }
  Task<void> start() override { co_return Result<void>(); }
  asio::awaitable<void> stop() override { co_await https_.stop(kLastRequests); }
  void abort() override { https_.abort(); }

 private:
  Logger log_;
  std::string address_;
  net::CertifiedServer https_;
};

asio::awaitable<net::ServerReply> serve_health(const HealthChecks& checks, net::Request request) {
  net::ServerReply reply;
  reply.response = answer_health(checks, request);
  co_return reply;
}

asio::awaitable<net::ServerReply> serve_nothing(net::Request) {
  net::ServerReply reply;
  reply.response = net::not_found_response();
  co_return reply;
}

asio::awaitable<net::ServerReply> serve_metrics(metrics::Registry& registry, net::Request request) {
  net::ServerReply reply;
  if (net::path_of(request) == "/metrics") {
    reply.response.status = 200;
    reply.response.headers = {{"Content-Type", std::string(metrics::kTextContentType)}};
    reply.response.body = registry.text();
  } else {
    reply.response = net::not_found_response();
  }
  co_return reply;
}

// `otherwise` answers the requests whose path is not that of an endpoint.
net::Handler dispatch(std::vector<HttpEndpoint> endpoints, net::Handler otherwise) {
  return [endpoints = std::move(endpoints), otherwise = std::move(otherwise)](net::Request request) {
    const auto path = net::path_of(request);
    for (const auto& [own, handler] : endpoints) {
      if (path == own) return handler(std::move(request));
    }
    return otherwise(std::move(request));
  };
}

net::Handler metrics_handler(metrics::Registry& registry, std::vector<HttpEndpoint> more) {
  return dispatch(std::move(more),
                  [&registry](net::Request request) { return serve_metrics(registry, std::move(request)); });
}

// Probes and scrapes have no bodies.
net::Bodies bodies_of(const std::vector<HttpEndpoint>& more) {
  return more.empty() ? net::Bodies::kIgnore : net::Bodies::kRead;
}

Result<net::HttpServerOptions> options_for(std::string_view bind_address, net::ServerBudget& budget,
                                           net::Bodies bodies) {
  KEELSON_LET(auto address, net::parse_bind_address(bind_address));
  net::HttpServerOptions options;
  options.host = address.host;
  options.port = address.port;
  options.budget = &budget;
  options.bodies = bodies;
  return options;
}

Result<std::unique_ptr<HttpService>> make_service(asio::any_io_executor executor, async::Clock& clock,
                                                  const Logger& log, net::ServerBudget& budget, std::string name,
                                                  std::string_view bind_address, net::Handler handler,
                                                  std::function<void()> tell, net::Bodies bodies) {
  KEELSON_LET(auto options, options_for(bind_address, budget, bodies));
  KEELSON_LET(auto server,
              net::make_http_server(std::move(executor), clock, log, std::move(handler), std::move(options)));
  return std::unique_ptr<HttpService>(
      std::make_unique<PlainService>(std::move(name), std::move(server), std::move(tell)));
}

// Logs as controller-runtime does for its servers of probes and profiles.
Result<std::unique_ptr<HttpService>> make_plain_service(asio::any_io_executor executor, async::Clock& clock,
                                                        const Logger& log, net::ServerBudget& budget, std::string name,
                                                        std::string_view bind_address, net::Handler handler,
                                                        net::Bodies bodies = net::Bodies::kIgnore) {
  auto tell = [log, name, address = std::string(bind_address)] {
    log.info("starting server", {{"name", name}, {"addr", address}});
  };
  return make_service(std::move(executor), clock, log, budget, std::move(name), bind_address, std::move(handler), tell,
                      bodies);
}

}  // namespace

Result<std::unique_ptr<HttpService>> make_health_service(asio::any_io_executor executor, async::Clock& clock,
                                                         Logger log, net::ServerBudget& budget,
                                                         std::string_view bind_address, const HealthChecks& checks,
                                                         std::vector<HttpEndpoint> more) {
  auto probes = [&checks](net::Request request) { return serve_health(checks, std::move(request)); };
  const auto bodies = more.empty() ? net::Bodies::kIgnore : net::Bodies::kShort;
  return make_plain_service(std::move(executor), clock, log, budget, kHealth, bind_address,
                            dispatch(std::move(more), probes), bodies);
}

Result<std::unique_ptr<HttpService>> make_endpoint_service(asio::any_io_executor executor, async::Clock& clock,
                                                           const Logger& log, net::ServerBudget& budget,
                                                           std::string name, std::string_view bind_address,
                                                           std::vector<HttpEndpoint> endpoints) {
  return make_plain_service(std::move(executor), clock, log, budget, std::move(name), bind_address,
                            dispatch(std::move(endpoints), serve_nothing));
}

Result<std::unique_ptr<HttpService>> make_metrics_service(asio::any_io_executor executor, async::Clock& clock,
                                                          Logger log, net::ServerBudget& budget,
                                                          std::string_view bind_address, metrics::Registry& registry,
                                                          std::vector<HttpEndpoint> more) {
  log = log.named(kMetrics);
  auto tell = [log, address = std::string(bind_address)] { tell_metrics_are_served(log, address, false); };
  const auto bodies = bodies_of(more);
  return make_service(std::move(executor), clock, log, budget, kMetrics, bind_address,
                      metrics_handler(registry, std::move(more)), tell, bodies);
}

Result<std::unique_ptr<SecureHttpService>> make_secure_metrics_service(
    asio::any_io_executor executor, async::Clock& clock, const Logger& log, net::ServerBudget& budget,
    std::string_view bind_address, metrics::Registry& registry, const Guard& guard, std::vector<HttpEndpoint> more) {
  KEELSON_LET(auto options, options_for(bind_address, budget, bodies_of(more)));
  return std::unique_ptr<SecureHttpService>(
      std::make_unique<SecureService>(std::move(executor), clock, log.named(kMetrics), std::string(bind_address),
                                      guard(metrics_handler(registry, std::move(more))), std::move(options)));
}

}  // namespace keelson::lifecycle
