#include "src/program/metrics_endpoint.hpp"

#include <cstdlib>

#include "keelson/base/try.hpp"
#include "keelson/detail/access/authorized.hpp"
#include "keelson/detail/tls/certificate_files.hpp"
#include "keelson/detail/tls/memory_certificate.hpp"
#include "src/program/endpoint_guard.hpp"

namespace keelson::program {

Result<void> MetricsEndpoint::build(const Options& options, kube::Client& api_server,
                                    std::vector<lifecycle::HttpEndpoint> more) {
  const auto plan = decide_metrics(options, environment_by([](const char* name) { return std::getenv(name); }));
  for (const auto& notice : plan.notices) log_.named("setup").info(notice);
  if (plan.serve == MetricsPolicy::Serve::kOff) return {};
  if (plan.serve == MetricsPolicy::Serve::kSecure) return build_secure(options, plan, api_server, std::move(more));
  KEELSON_LET(auto made, lifecycle::make_metrics_service(executor_, clock_, log_.named("controller-runtime"), budget_,
                                                         options.metrics_bind_address, registry_,
                                                         without_claimed_user(std::move(more))));
  service_ = std::move(made);
  return {};
}

Result<void> MetricsEndpoint::build_secure(const Options& options, const MetricsPolicy& plan, kube::Client& api_server,
                                           std::vector<lifecycle::HttpEndpoint> more) {
  const auto log = log_.named("controller-runtime");
  auto guard = [&](net::Handler inner) {
    return access::authorized(clock_, random_, log.named("metrics"), api_server, std::move(inner),
                              {.audience = api_server.operator_name().text()});
  };
  KEELSON_LET(auto made,
              lifecycle::make_secure_metrics_service(executor_, clock_, log, budget_, options.metrics_bind_address,
                                                     registry_, guard, std::move(more)));
  health_.emplace(clock_, *made);
  if (plan.files) {
    certificate_ = tls::make_certificate_files(executor_, clock_, log, registry_, "metrics", *plan.files, *health_);
  } else {
    // The names in controller-runtime's certificate of a server without certificate files.
    certificate_ =
        tls::make_memory_certificate(executor_, clock_, log, registry_, {"localhost", "127.0.0.1"}, *health_);
  }
  service_ = std::move(made);
  return {};
}

void MetricsEndpoint::add_to(lifecycle::Manager& manager) {
  if (service_) manager.add(lifecycle::Group::kServers, *service_);
  if (certificate_) manager.add(lifecycle::Group::kServers, *certificate_);
}

}  // namespace keelson::program
