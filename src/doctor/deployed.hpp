// What the Deployment of a manager declares: the container, its arguments, ports, labels and service account.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "keelson/detail/doctor/doctor.hpp"
#include "keelson/json/value.hpp"

namespace keelson::doctor {

// The parts of a Deployment that the areas need. The texts are copies.
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

// The arguments are expanded as the kubelet expands them.
[[nodiscard]] Deployed describe_deployment(json::View deployment);

[[nodiscard]] json::View pod_template(json::View deployment);
// The container with the name `manager`, or the first one.
[[nodiscard]] json::View manager_container(json::View deployment);

}  // namespace keelson::doctor
