// The Deployment of an operator and its pods: which one it is, and what is wrong with it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "keelson/doctor/doctor.hpp"
#include "keelson/json/value.hpp"

namespace keelson::doctor {

// The parts of a Deployment that other checks need. The texts are copies.
struct Deployed {
  std::string ns;
  std::string name;
  std::string account;                            // the service account of its pods
  std::string pod_selector;                       // "control-plane=controller-manager"
  std::map<std::string, std::string> pod_labels;  // of the template
  ManagerContainer manager;
  std::map<std::string, int> ports;  // of all containers, by name; unnamed ones by their number
  std::optional<int> proxy_port;     // of kube-rbac-proxy; nullopt: the pod has none
};

// The label that kubebuilder gives the Deployment of a manager.
inline constexpr const char* kManagerLabel = "control-plane=controller-manager";

// The Deployments of the list that belong to the operator: by the label app.kubernetes.io/name, or without that label
// by the prefix of their name.
[[nodiscard]] std::vector<json::View> deployments_of(json::View list, const kube::OperatorName& name);
[[nodiscard]] Deployed describe_deployment(json::View deployment);

// `version` is that of this binary.
void check_deployment(json::View deployment, const std::string& version, Findings& findings);
// `now` is the time of the API server's clock.
void check_pods(json::View deployment, json::View pods, async::WallTime now, Findings& findings);
void check_flags(const Deployed& deployed, const Result<DeployedFlags>& flags, Findings& findings);
// The number of pods of the list that are ready.
[[nodiscard]] int ready_pods(json::View pods);

}  // namespace keelson::doctor
