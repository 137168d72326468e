#include "src/sandbox_program/server.hpp"

#include <boost/asio/ip/address.hpp>
#include <utility>

#include "keelson/base/try.hpp"
#include "keelson/detail/sandbox/limits.hpp"
#include "src/sandbox_program/authentication.hpp"
#include "src/sandbox_program/kubeconfig.hpp"

namespace keelson::sandbox_program {
namespace asio = boost::asio;

namespace {

// Each watch has a connection, and a large test has a thousand watches.
constexpr std::size_t kSandboxConnections = 4096;

// Memory of connections: unsent replies to slow clients, mostly lists.
constexpr std::size_t kSandboxHeldBytes = std::size_t{512} << 20;

// The controllers of a real cluster begin within milliseconds: a Deployment that is created and deleted with its
// dependents 5 ms later has adopted its ReplicaSets by then.
constexpr auto kControllerDelay = std::chrono::milliseconds(1);

constexpr auto kStopGrace = std::chrono::seconds(5);

sandbox::ApiServerOptions api_options(const Settings& settings, const Credentials& credentials, async::Clock& clock,
                                      const Stores& stores) {
  sandbox::ApiServerOptions options;
  options.has_controllers = settings.has_controllers;
  options.ignores_rules = settings.ignores_rules;
  options.controller_delay = kControllerDelay;
  options.pod_start = settings.pod_start;
  options.controller_clock = &clock;
  options.has_cluster_objects = true;
  options.root_ca_pem = credentials.identity.authority_pem;
  options.token_key = credentials.token_key;
  options.client_authority = credentials.client_authority;
  options.has_log = false;
  options.journal = stores.data.get();
  if (auto* audit = stores.audit.get()) {
    options.audit = [audit](const std::string& line) { audit->append(line); };
  }
  options.authorization = settings.authorization;
  options.chaos = settings.chaos;
  options.user_of_token = [token = credentials.token](const std::string& given) { return user_of(given, token); };
  return options;
}

net::ServerLimits connection_limits() {
  net::ServerLimits limits;
  limits.shared_connections = kSandboxConnections;
  limits.held_bytes = kSandboxHeldBytes;
  // Each watch of a client without HTTP/2 needs a connection, and a test opens hundreds at once.
  limits.handshakes = net::Handshakes::kUnpaced;
  return limits;
}

net::Response too_large() {
  net::Response response;
  response.status = 413;
  response.headers.emplace_back("Content-Type", "application/json");
  response.body = R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":)"
                  R"("Request entity too large: limit is )" +
                  std::to_string(limits::kSandboxBodyBytes) + R"(","reason":"RequestEntityTooLarge","code":413})";
  return response;
}

Result<Stores> open_stores(const Settings& settings, const Logger& log) {
  Stores stores;
  if (!settings.data.empty()) {
    auto opened = sandbox_data::DataFile::open(settings.data, log);
    if (!opened) return std::move(opened).error().with_context("--data");
    stores.data = std::move(*opened);
  }
  if (!settings.audit_log.empty()) {
    auto opened = AuditLog::open(settings.audit_log, log);
    if (!opened) return std::move(opened).error().with_context("--audit-log");
    stores.audit = std::move(*opened);
  }
  return stores;
}

}  // namespace

Result<std::unique_ptr<Server>> Server::make(const asio::any_io_executor& executor, async::Clock& clock,
                                             base::Random& random, Logger log, const Settings& settings) {
  KEELSON_LET(auto stores, open_stores(settings, log));
  KEELSON_LET(auto credentials, make_credentials(clock, settings, stores.data.get()));
  auto server = std::make_unique<Server>(clock, random, settings, std::move(credentials), std::move(stores));
  if (server->stores_.data) {
    auto resumed = server->api_.resume();
    if (!resumed) return std::move(resumed).error().with_context("--data");
  }
  KEELSON_TRY(server->listen(executor, clock, std::move(log)));
  return server;
}

Server::Server(async::Clock& clock, base::Random& random, const Settings& settings, Credentials credentials,
               Stores stores)
    : settings_(settings),
      credentials_(std::move(credentials)),
      controller_clock_(clock, settings.speed),
      stores_(std::move(stores)),
      api_(clock, random, api_options(settings, credentials_, controller_clock_, stores_)),
      budget_(connection_limits()) {}

Result<void> Server::listen(const asio::any_io_executor& executor, async::Clock& clock, Logger log) {
  net::HttpServerOptions options;
  options.host = settings_.bind_address;
  options.port = settings_.port;
  options.tls = tls::ServerTls{credentials_.identity.certificate_pem, credentials_.identity.key_pem,
                               credentials_.client_authority.certificate_pem(), tls::ClientCertificates::kOptional};
  options.budget = &budget_;
  options.body_limit = limits::kSandboxBodyBytes;
  options.too_large = too_large;
  KEELSON_LET(auto made, net::make_http_server(executor, clock, std::move(log), api_.handler(), std::move(options)));
  http_ = std::move(made);
  return {};
}

std::string Server::address() const {
  auto address = asio::ip::make_address(settings_.bind_address);
  if (address.is_unspecified()) address = asio::ip::make_address(address.is_v4() ? "127.0.0.1" : "::1");
  auto host = address.is_v4() ? address.to_string() : "[" + address.to_string() + "]";
  return "https://" + host + ":" + std::to_string(http_->port());
}

std::string Server::kubeconfig() const {
  return kubeconfig_text({address(), credentials_.identity.authority_pem, credentials_.token,
                          credentials_.administrator.certificate_pem, credentials_.administrator.key_pem});
}

asio::awaitable<void> Server::stop() {
  api_.end_watches();
  co_await http_->stop(kStopGrace);
}

}  // namespace keelson::sandbox_program
