// /metrics of the running program: its server, and with --metrics-secure its certificate and authorization.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <memory>
#include <optional>

#include "keelson/detail/lifecycle/http_service.hpp"
#include "keelson/detail/lifecycle/manager.hpp"
#include "keelson/detail/program/flags.hpp"
#include "keelson/kube/client.hpp"
#include "src/program/certificate_health.hpp"
#include "src/program/metrics_policy.hpp"

namespace keelson::program {

class MetricsEndpoint {
 public:
  // All references must outlive it.
  MetricsEndpoint(boost::asio::any_io_executor executor, async::Clock& clock, base::Random& random, const Logger& log,
                  metrics::Registry& registry, net::ServerBudget& budget)
      : executor_(std::move(executor)),
        clock_(clock),
        random_(random),
        log_(log),
        registry_(registry),
        budget_(budget) {}

  // `api_server` authenticates and authorizes clients; `more` is served next to /metrics. Fails if the address cannot
  // be bound; with --metrics-secure the start of the certificate's runnable binds it, and fails.
  [[nodiscard]] Result<void> build(const Options& options, kube::Client& api_server,
                                   std::vector<lifecycle::HttpEndpoint> more);
  void add_to(lifecycle::Manager& manager);
  // From build() on; null: off.
  [[nodiscard]] lifecycle::HttpService* service() { return service_.get(); }
  // Why the certificate files cannot be read or used; null: they can, or there are none.
  [[nodiscard]] const CertificateHealth::Problem* certificate_problem() const {
    return health_ && health_->problem() ? &*health_->problem() : nullptr;
  }

 private:
  [[nodiscard]] Result<void> build_secure(const Options& options, const MetricsPolicy& plan, kube::Client& api_server,
                                          std::vector<lifecycle::HttpEndpoint> more);

  boost::asio::any_io_executor executor_;
  async::Clock& clock_;
  base::Random& random_;
  Logger log_;
  metrics::Registry& registry_;
  net::ServerBudget& budget_;
  std::unique_ptr<lifecycle::HttpService> service_;  // null: off
  std::optional<CertificateHealth> health_;
  std::unique_ptr<async::Runnable> certificate_;  // null: plain HTTP
};

}  // namespace keelson::program
