// The program that a kubeconfig names for its credentials (`exec` of a user), and how to run it.
//
// A value without behavior: load_connection() (config.hpp) fills it, and the client runs the program. Its standard
// output is an ExecCredential of at most limits::kPluginBytes with a token or a client certificate; standard error is
// logged. The credential is used until it expires or the API server answers 401, and runs are at least 5 s apart. A run
// is killed after limits::kPluginTime (60 s), or limits::kPluginTimeAtTerminal (10 min) if a user can log in at a
// terminal.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace keelson::kube {

struct ExecPlugin {
  std::string command;                 // a path, or a name to look up in PATH
  std::vector<std::string> arguments;  // without the program's own name
  // Added to the environment of this process; a variable that exists in both has this value.
  std::vector<std::pair<std::string, std::string>> variables;
  std::string api_version;  // "client.authentication.k8s.io/v1" or "…/v1beta1"
  // "Never": standard input is /dev/null. "IfAvailable": it is the terminal, if there is one. "Always": without a
  // terminal the plugin fails.
  std::string interactive_mode;
  std::string install_hint;           // appended to the error if the program does not exist
  bool provide_cluster_info = false;  // pass `cluster_info` to the program

  std::string cluster_info;  // JSON of spec.cluster in KUBERNETES_EXEC_INFO; empty without provide_cluster_info
  std::string owner;         // for errors: `exec of user "eks" in kubeconfig /home/me/.kube/config`
};

}  // namespace keelson::kube
