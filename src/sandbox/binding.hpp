// The subresource pods/binding: what a scheduler writes to say on which node a pod runs.
#pragma once

#include "src/sandbox/committer.hpp"

namespace keelson::sandbox {

// 409 if the pod has a node, waits for a gate, or is being deleted.
[[nodiscard]] Outcome bind(const World& world, Committer& committer, const Call& call);

}  // namespace keelson::sandbox
