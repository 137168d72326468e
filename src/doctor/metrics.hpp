// The metrics endpoint: protected, and reachable through a Service.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <optional>
#include <string>

#include "src/doctor/installation.hpp"

namespace keelson::doctor {

[[nodiscard]] boost::asio::awaitable<void> examine_metrics(Reader& reader, const Installation& installation,
                                                           Findings& findings);

// The port of the pod that clients of /metrics use: that of the proxy, or the manager's own; nullopt if metrics are off
// or reachable only inside of the pod.
[[nodiscard]] std::optional<int> metrics_port(const Deployed& deployed, const DeployedFlags& flags, Findings& findings);

// The name of the Service of the list that leads to this port of the pods; empty if there is none.
[[nodiscard]] std::string metrics_service(const Deployed& deployed, int port, json::View services);

void check_metrics_endpoints(const std::string& service, int port, const Reading& slices, Findings& findings);

}  // namespace keelson::doctor
