// A program of the user's that hands out credentials (`exec` of a kubeconfig), as it is to be run.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace keelson::kube {

struct ExecPlugin {
  std::string command;  // a path, or a name to look up in PATH
  std::vector<std::string> arguments;
  std::vector<std::pair<std::string, std::string>> variables;  // on top of our own environment
  std::string api_version;                                     // "client.authentication.k8s.io/v1" or "…/v1beta1"
  std::string interactive_mode;                                // "Never", "IfAvailable" or "Always"
  std::string install_hint;
  bool provide_cluster_info = false;

  std::string cluster_info;  // JSON for spec.cluster when that is asked for; else empty
  std::string owner;         // for errors: `exec of user "eks" in kubeconfig /home/me/.kube/config`
};

}  // namespace keelson::kube
