// The subresource pods/binding, by which a scheduler assigns a pod to a node.
#pragma once

#include "src/sandbox/storage/committer.hpp"

namespace keelson::sandbox {

// 409 if the pod has a node or a scheduling gate, or is being deleted.
[[nodiscard]] RejectionOr<Answer> bind(const World& world, Committer& committer, const Call& call);

}  // namespace keelson::sandbox
