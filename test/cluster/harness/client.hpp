// The tests' own requests to the cluster of KUBECONFIG. A kubectl process takes 58 ms of CPU time, and tests poll.
#pragma once

#include <chrono>

#include "keelson/kube/client.hpp"

namespace keelson::testing {

// Blocks until the reply, for at most `limit`, retries included.
[[nodiscard]] Result<kube::ApiReply> send(kube::ApiRequest request,
                                          std::chrono::seconds limit = std::chrono::seconds(60));

}  // namespace keelson::testing
