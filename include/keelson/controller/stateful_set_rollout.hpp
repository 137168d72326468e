// The progress of a StatefulSet's rollout, computed from its status. This header is separate from rollout.hpp so that a
// program links only the kinds that it uses.
#pragma once

#include <vector>

#include "keelson/api/apps/v1/stateful_set.hpp"
#include "keelson/api/core/v1/pod.hpp"
#include "keelson/base/try.hpp"
#include "keelson/controller/rollout.hpp"

namespace keelson::controller {

// A rollout is complete when the newest spec is observed, the desired number of pods is ready, and the pods have the
// new revision: all of them, or those from the partition on, as for `kubectl rollout status`. With the strategy
// OnDelete, pods have their old revision until a user deletes them, so their revision does not count. `failure` is
// always empty, because StatefulSets report no failures.
//
// A projection of the StatefulSet must have `spec` and `status`.
[[nodiscard]] Rollout rollout_of(const apps::v1::StatefulSet& stateful_set);

// The same with the problems of its pods, which pod_rollout.hpp lists: crash loops, images that cannot be pulled, lost
// nodes; a pod that is not ready is one after ten minutes. If the pods that exist are available and the StatefulSet's
// controller has not created the next one, the problem is FailedCreate: a quota or an admission plugin rejects it. Only
// an Event of the StatefulSet has the rejection. `pods` are those of the StatefulSet. Without I/O.
[[nodiscard]] Rollout rollout_of(const apps::v1::StatefulSet& stateful_set, const std::vector<core::v1::Pod>& pods,
                                 async::WallTime now);

// The pods that the StatefulSet controls, in the cache: watch them with pods_of_rollouts() of pod_rollout.hpp, and end
// the pass with check_again().
template <class P>
[[nodiscard]] Result<Rollout> rollout_of(const apps::v1::StatefulSet& stateful_set, const P& pass) {
  KEELSON_LET(const auto pods, pass.template children_of<core::v1::Pod>(stateful_set));
  return rollout_of(stateful_set, pods, pass.clock.wall_now());
}

}  // namespace keelson::controller
