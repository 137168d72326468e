// The subresource pods/eviction: deletes a pod if its PodDisruptionBudget allows that.
#pragma once

#include "src/sandbox/storage/committer.hpp"
#include "src/sandbox/verbs/deletes.hpp"

namespace keelson::sandbox {

// 429 with the cause DisruptionBudget when the budget does not allow it now.
[[nodiscard]] RejectionOr<Answer> evict(World& world, Committer& committer, Deletes& deletes, const Call& call);

}  // namespace keelson::sandbox
