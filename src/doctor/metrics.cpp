#include "src/doctor/metrics.hpp"

#include "keelson/detail/base/parse_number.hpp"
#include "src/doctor/sample.hpp"

namespace keelson::doctor {

using boost::asio::awaitable;

namespace {

bool is_loopback(std::string_view address) {
  return address.starts_with("127.") || address.starts_with("localhost:") || address.starts_with("[::1]:");
}

int port_of(std::string_view address) {
  return base::parse_number<int>(address.substr(address.rfind(':') + 1)).value_or(0);
}

bool selects(json::View service, const Deployed& deployed) {
  const auto selector = service.at({"spec", "selector"});
  if (selector.size() == 0) return false;
  for (const auto& [label, value] : selector.members()) {
    const auto found = deployed.pod_labels.find(std::string(label));
    if (found == deployed.pod_labels.end() || found->second != value.string()) return false;
  }
  return true;
}

// The port of the pods behind a port of a Service; 0 if the pods do not have it.
int target_of_port(json::View port, const Deployed& deployed) {
  const auto target = port.find("targetPort");
  if (const auto number = target.integer()) return static_cast<int>(*number);
  const auto named = deployed.ports.find(text_at(target, {}));
  if (named != deployed.ports.end()) return named->second;
  return target.is_absent() ? static_cast<int>(port.find("port").integer().value_or(0)) : 0;
}

}  // namespace

awaitable<void> examine_metrics(Reader& reader, const Installation& installation, Findings& findings) {
  const auto& deployed = installation.deployed;
  if (!installation.has_deployment() || !installation.has_flags || installation.flags.are_in_file) {
    findings.skip(Area::kMetrics, "not examined without a Deployment and its arguments");
    co_return;
  }
  const auto port = metrics_port(deployed, installation.flags, findings);
  if (!port) co_return;
  std::string service;
  std::optional<Error> unread;
  const auto take = [&](Reading services) {
    if (!services) {
      unread = std::move(services).error();
    } else if (service.empty()) {
      service = metrics_service(deployed, *port, services->root());
    }
  };
  co_await reader.read_pages(kube::services(), deployed.ns, sample(), take);
  if (unread) {
    findings.add_unreadable(Area::kMetrics, *unread);
    co_return;
  }
  if (service.empty()) {
    findings.add("metrics-service-missing", "deployments/" + deployed.name, "port " + std::to_string(*port));
    co_return;
  }
  Requests slices;
  slices.emplace_back(slices_of(deployed.ns, service));
  co_await reader.read(slices);
  check_metrics_endpoints(service, *port, slices.front().reply, findings);
}

std::optional<int> metrics_port(const Deployed& deployed, const DeployedFlags& flags, Findings& findings) {
  const auto subject = "deployments/" + deployed.name;
  if (flags.metrics == DeployedFlags::Metrics::kOff) {
    findings.add("metrics-off", subject);
    return std::nullopt;
  }
  const bool is_local = is_loopback(flags.metrics_bind_address);
  if (!is_local && flags.metrics == DeployedFlags::Metrics::kPlain) {
    findings.add("metrics-unprotected", subject, "--metrics-bind-address=" + flags.metrics_bind_address);
  }
  if (!is_local) return port_of(flags.metrics_bind_address);
  if (!deployed.proxy_port) findings.add("metrics-proxy-missing", subject);
  return deployed.proxy_port;
}

std::string metrics_service(const Deployed& deployed, int port, json::View services) {
  for (const auto service : services.find("items").items()) {
    if (!selects(service, deployed)) continue;
    for (const auto exposed : service.at({"spec", "ports"}).items()) {
      if (target_of_port(exposed, deployed) == port) return text_at(service, {"metadata", "name"});
    }
  }
  return "";
}

void check_metrics_endpoints(const std::string& service, int port, const Reading& slices, Findings& findings) {
  findings.summarize(Area::kMetrics, "service " + service + " leads to port " + std::to_string(port));
  if (!slices) {
    findings.add_unreadable(Area::kMetrics, slices.error());
  } else if (!has_ready_endpoint(slices->root())) {
    findings.add("metrics-no-endpoints", "services/" + service);
  }
}

}  // namespace keelson::doctor
