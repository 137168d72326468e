// The Deployment of the manager, its pods and its flags: which one it is, and what is wrong with it.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>
#include <vector>

#include "keelson/detail/doctor/findings.hpp"
#include "src/doctor/installation.hpp"

namespace keelson::doctor {

// Fills `installation`, whose controllers and webhooks are all those of the program before.
[[nodiscard]] boost::asio::awaitable<void> examine_deployment(Reader& reader, Installation& installation,
                                                              Findings& findings);

// The Deployments of the list that belong to the operator: by the label app.kubernetes.io/name, or without that label
// by the prefix of their name.
[[nodiscard]] std::vector<json::View> deployments_of(json::View list, const kube::OperatorName& name);
// `version` is that of this binary.
void check_deployment(json::View deployment, const std::string& version, Findings& findings);
// `now` is the time of the API server's clock.
void check_pods(json::View deployment, json::View pods, async::WallTime now, Findings& findings);
void check_flags(const Deployed& deployed, const Result<DeployedFlags>& flags, Findings& findings);

}  // namespace keelson::doctor
