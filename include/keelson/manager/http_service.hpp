// One of our own HTTP endpoints as a runnable of the manager: health probes, metrics.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/async/runnable.hpp"
#include "keelson/base/log.hpp"
#include "keelson/manager/health.hpp"
#include "keelson/metrics/registry.hpp"
#include "keelson/net/certificate_user.hpp"
#include "keelson/net/http_server.hpp"

namespace keelson::manager {

class HttpService : public async::Runnable {
 public:
  [[nodiscard]] virtual std::uint16_t port() const = 0;
};

// An endpoint of an operator's own, for requests of exactly this path.
struct HttpEndpoint {
  std::string path;
  net::Handler handler;
};

// Bound at once ("error listening on :8081: …"), served from start() on. `budget` is that of all servers of the
// process. All references must outlive the service.
[[nodiscard]] Result<std::unique_ptr<HttpService>> make_health_service(boost::asio::any_io_executor executor,
                                                                       async::Clock& clock, Logger log,
                                                                       net::ServerBudget& budget,
                                                                       std::string_view bind_address,
                                                                       const HealthChecks& checks);
[[nodiscard]] Result<std::unique_ptr<HttpService>> make_metrics_service(
    boost::asio::any_io_executor executor, async::Clock& clock, Logger log, net::ServerBudget& budget,
    std::string_view bind_address, metrics::Registry& registry, std::vector<HttpEndpoint> more = {});

// The same over TLS: bound and served from the first certificate on that it is given. `guard` makes the handler that is
// asked for every path out of the one that answers.
class SecureHttpService : public HttpService, public net::CertificateUser {};
using Guard = std::function<net::Handler(net::Handler inner)>;
[[nodiscard]] Result<std::unique_ptr<SecureHttpService>> make_secure_metrics_service(
    boost::asio::any_io_executor executor, async::Clock& clock, const Logger& log, net::ServerBudget& budget,
    std::string_view bind_address, metrics::Registry& registry, const Guard& guard,
    std::vector<HttpEndpoint> more = {});

}  // namespace keelson::manager
