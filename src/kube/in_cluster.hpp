// The connection that the kubelet gives every pod: service host and port, and the service account's files.
#pragma once

#include "keelson/kube/config.hpp"

namespace keelson::kube {

// Host, port and token are all there.
[[nodiscard]] bool in_cluster_possible(const Environment& environment);

[[nodiscard]] Result<ConnectionConfig> in_cluster_connection(const Environment& environment);

}  // namespace keelson::kube
