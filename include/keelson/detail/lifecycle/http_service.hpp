// The HTTP servers for health probes, metrics and other endpoints, as runnables of the manager.
//
// stop() lets requests in progress finish for 2 s; abort() ends them immediately. Paths that a server does not know are
// 404.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/base/log.hpp"
#include "keelson/detail/async/runnable.hpp"
#include "keelson/detail/lifecycle/health.hpp"
#include "keelson/detail/net/http_server.hpp"
#include "keelson/detail/tls/certificate_user.hpp"
#include "keelson/metrics/registry.hpp"

namespace keelson::lifecycle {

// A server that has an address already, or will have one when it gets its certificate.
class HttpService : public async::Runnable {
 public:
  // The port that it listens on, even if the bind address had port 0; 0 if it does not listen yet.
  [[nodiscard]] virtual std::uint16_t port() const = 0;
};

// An additional endpoint of the health or metrics server, for requests with exactly this path, whatever their method.
struct HttpEndpoint {
  std::string path;      // "/backups", without a query
  net::Handler handler;  // runs on the event loop: it must not block
};

// Binds the address immediately, so that a taken port is an Error here ("error listening on :8081: …", kTransport), and
// serves from start() on. `bind_address` is ":8081", "127.0.0.1:0" or "[::1]:80". `budget` is shared by all servers of
// the process. Paths of `more` precede those of the probes; only short request bodies are read (net::Bodies::kShort),
// and none without `more`. All references must outlive the service.
[[nodiscard]] Result<std::unique_ptr<HttpService>> make_health_service(
    boost::asio::any_io_executor executor, async::Clock& clock, Logger log, net::ServerBudget& budget,
    std::string_view bind_address, const HealthChecks& checks, std::vector<HttpEndpoint> more = {});
// Serves `registry` in Prometheus' text format at /metrics, and `more`; other paths are 404. Anyone who reaches the
// address can read it. Request bodies are read only if there are endpoints in `more`.
[[nodiscard]] Result<std::unique_ptr<HttpService>> make_metrics_service(
    boost::asio::any_io_executor executor, async::Clock& clock, Logger log, net::ServerBudget& budget,
    std::string_view bind_address, metrics::Registry& registry, std::vector<HttpEndpoint> more = {});

// Serves `endpoints` alone; other paths are 404. `name` is for the log, which has "starting server" as for probes. No
// request body is read.
[[nodiscard]] Result<std::unique_ptr<HttpService>> make_endpoint_service(boost::asio::any_io_executor executor,
                                                                         async::Clock& clock, const Logger& log,
                                                                         net::ServerBudget& budget, std::string name,
                                                                         std::string_view bind_address,
                                                                         std::vector<HttpEndpoint> endpoints);

// The metrics server over HTTPS. It binds its address when it gets its first certificate (CertificateUser::use): a
// taken port is an error of use(), not of make_secure_metrics_service(). `guard` wraps the handler of all paths,
// unknown ones included, with authentication and authorization; access::authorized() is the usual one.
class SecureHttpService : public HttpService, public tls::CertificateUser {};
// Called once, when the service is made.
using Guard = std::function<net::Handler(net::Handler inner)>;
[[nodiscard]] Result<std::unique_ptr<SecureHttpService>> make_secure_metrics_service(
    boost::asio::any_io_executor executor, async::Clock& clock, const Logger& log, net::ServerBudget& budget,
    std::string_view bind_address, metrics::Registry& registry, const Guard& guard,
    std::vector<HttpEndpoint> more = {});

}  // namespace keelson::lifecycle
