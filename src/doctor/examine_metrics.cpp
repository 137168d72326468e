#include "src/doctor/examination.hpp"

#include <utility>

#include "src/doctor/metrics.hpp"

namespace keelson::doctor {

using boost::asio::awaitable;

awaitable<void> Examination::examine_metrics() {
  auto& findings = report_.findings;
  if (!has_deployment() || !has_flags_ || flags_.are_in_file) {
    findings.skip(Area::kMetrics, "not examined without a Deployment and its arguments");
    co_return;
  }
  const auto port = metrics_port(deployed_, flags_, findings);
  if (!port) co_return;
  Requests services;
  co_await read_pages(kube::services(), deployed_.ns, sample(), services);
  if (!services.back().reply) {
    findings.add_unreadable(Area::kMetrics, services.back().reply.error());
    co_return;
  }
  std::string service;
  for (std::size_t i = 0; i < services.size() && service.empty(); ++i) {
    Findings of_page;  // that a page lacks the Service is a finding only on the last one
    const bool is_last = i + 1 == services.size();
    service = metrics_service(deployed_, *port, services[i].reply->root(), is_last ? findings : of_page);
  }
  if (service.empty()) co_return;
  Requests slices;
  slices.emplace_back(slices_of(deployed_.ns, service));
  co_await reader_.read(slices);
  check_metrics_endpoints(service, *port, slices.front().reply, findings);
}

}  // namespace keelson::doctor
