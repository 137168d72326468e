#include "src/sandbox_program/server.hpp"

#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/ip/address.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "keelson/base/limits.hpp"
#include "src/sandbox_program/authentication.hpp"
#include "src/sandbox_program/kubeconfig.hpp"

namespace keelson::sandbox_program {
namespace asio = boost::asio;

namespace {

// As kubeadm's authority. Clients' clocks may be behind by a wrong time zone.
constexpr auto kLifetime = std::chrono::hours(24 * 3650);
constexpr auto kBackdated = std::chrono::hours(24);
constexpr auto kStopGrace = std::chrono::seconds(5);

Result<std::string> random_token() {
  std::array<unsigned char, 32> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    return invalid("the system gives no random bytes for a token: give --token");
  }
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (auto byte : bytes) {
    text += kDigits[byte >> 4U];
    text += kDigits[byte & 15U];
  }
  return text;
}

// Empty when it has none that can stand in a certificate.
std::string host_name() {
  std::array<char, 256> buffer{};
  if (::gethostname(buffer.data(), buffer.size() - 1) != 0) return "";
  std::string name(buffer.data());
  bool is_plain = std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' || c == '.';
  });
  return is_plain ? name : "";
}

std::vector<std::string> names_of(const asio::ip::address& address) {
  std::vector<std::string> names{"localhost",
                                 "kubernetes",
                                 "kubernetes.default",
                                 "kubernetes.default.svc",
                                 "kubernetes.default.svc.cluster.local",
                                 "127.0.0.1",
                                 "::1",
                                 "10.0.0.1"};
  for (const auto& name : {host_name(), address.is_unspecified() ? std::string() : address.to_string()}) {
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

Result<net::Identity> make_identity(async::Clock& clock, const asio::ip::address& address) {
  net::IdentityRequest request;
  request.authority_name = "keelson-sandbox";
  request.names = names_of(address);
  request.from = clock.wall_now() - kBackdated;
  request.until = clock.wall_now() + kLifetime;
  return net::make_identity(request);
}

sandbox::ServerOptions api_options(const Settings& settings, const net::Identity& identity, const std::string& token,
                                   async::Clock& clock) {
  sandbox::ServerOptions options;
  options.has_controllers = settings.has_controllers;
  options.pod_start = settings.pod_start;
  options.controller_clock = &clock;
  options.has_cluster_objects = true;
  options.root_ca_pem = identity.authority_pem;
  options.has_log = false;
  options.user_of_token = [token](const std::string& given) { return user_of(given, token); };
  return options;
}

net::ServerLimits connection_limits() {
  net::ServerLimits limits;
  limits.shared_connections = limits::kSandboxConnections;
  limits.held_bytes = limits::kSandboxHeldBytes;
  // Each watch of a client without HTTP/2 is a connection, and a test begins hundreds at once.
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

}  // namespace

Result<std::unique_ptr<Server>> Server::make(const asio::any_io_executor& executor, async::Clock& clock,
                                             base::Random& random, Logger log, const Settings& settings) {
  auto token = settings.token.empty() ? random_token() : Result<std::string>(settings.token);
  if (!token) return std::move(token.error());
  auto identity = make_identity(clock, asio::ip::make_address(settings.bind_address));
  if (!identity) return std::move(identity.error());
  auto server = std::make_unique<Server>(clock, random, settings, std::move(*identity), std::move(*token));
  auto listening = server->listen(executor, clock, std::move(log));
  if (!listening) return std::move(listening.error());
  return server;
}

Server::Server(async::Clock& clock, base::Random& random, const Settings& settings, net::Identity identity,
               std::string token)
    : settings_(settings),
      identity_(std::move(identity)),
      token_(std::move(token)),
      controller_clock_(clock, settings.speed),
      api_(clock, random, api_options(settings, identity_, token_, controller_clock_)),
      budget_(connection_limits()) {}

Result<void> Server::listen(const asio::any_io_executor& executor, async::Clock& clock, Logger log) {
  net::ServerOptions options;
  options.host = settings_.bind_address;
  options.port = settings_.port;
  options.tls = net::ServerTls{identity_.certificate_pem, identity_.key_pem, ""};
  options.budget = &budget_;
  options.body_limit = limits::kSandboxBodyBytes;
  options.too_large = too_large;
  auto made =
      net::make_http_server(executor, clock, std::move(log), authenticated(api_.handler(), token_), std::move(options));
  if (!made) return std::move(made.error());
  http_ = std::move(*made);
  return {};
}

std::string Server::address() const {
  auto address = asio::ip::make_address(settings_.bind_address);
  if (address.is_unspecified()) address = asio::ip::make_address(address.is_v4() ? "127.0.0.1" : "::1");
  auto host = address.is_v4() ? address.to_string() : "[" + address.to_string() + "]";
  return "https://" + host + ":" + std::to_string(http_->port());
}

std::string Server::kubeconfig() const { return kubeconfig_text({address(), identity_.authority_pem, token_}); }

asio::awaitable<void> Server::stop() {
  api_.end_watches();
  co_await http_->stop(kStopGrace);
}

}  // namespace keelson::sandbox_program
