// One of our own HTTP endpoints as a runnable of the manager: health probes, metrics.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <memory>
#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/async/runnable.hpp"
#include "keelson/base/log.hpp"
#include "keelson/manager/health.hpp"
#include "keelson/metrics/registry.hpp"
#include "keelson/net/http_server.hpp"

namespace keelson::manager {

class HttpService : public async::Runnable {
 public:
  [[nodiscard]] virtual std::uint16_t port() const = 0;
};

// Bound at once ("error listening on :8081: …"), served from start() on. All references must outlive the service.
[[nodiscard]] Result<std::unique_ptr<HttpService>> make_health_service(boost::asio::any_io_executor executor,
                                                                       async::Clock& clock, Logger log,
                                                                       std::string_view bind_address,
                                                                       const HealthChecks& checks);
[[nodiscard]] Result<std::unique_ptr<HttpService>> make_metrics_service(boost::asio::any_io_executor executor,
                                                                        async::Clock& clock, Logger log,
                                                                        std::string_view bind_address,
                                                                        metrics::Registry& registry);

}  // namespace keelson::manager
