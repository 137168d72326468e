// Requests of the tests themselves to the cluster that KUBECONFIG names. A kubectl process takes 58 ms of CPU, and
// tests poll.
#pragma once

#include "keelson/kube/client.hpp"

namespace keelson::test {

// Blocks until the reply, for at most 5 s, retries included.
[[nodiscard]] Result<kube::ApiReply> send(kube::ApiRequest request);

}  // namespace keelson::test
