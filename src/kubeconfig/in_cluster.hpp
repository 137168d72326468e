// The in-cluster configuration of a pod: host and port of the API server's Service, and the files of the service
// account.
#pragma once

#include "keelson/detail/kubeconfig/config.hpp"

namespace keelson::kube {

// Whether host, port and token all exist.
[[nodiscard]] bool in_cluster_possible(const Environment& environment);

[[nodiscard]] Result<ConnectionConfig> in_cluster_connection(const Environment& environment);

}  // namespace keelson::kube
