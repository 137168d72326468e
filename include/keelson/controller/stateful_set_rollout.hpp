// The progress of a StatefulSet's rollout, computed from its status. This header is separate from rollout.hpp so that a
// program links only the kinds that it uses.
#pragma once

#include "keelson/api/apps/v1/stateful_set.hpp"
#include "keelson/controller/rollout.hpp"

namespace keelson::controller {

// A rollout is complete when the newest spec is observed, the desired number of pods is ready, and the pods have the
// new revision: all of them, or those from the partition on, as for `kubectl rollout status`. With the strategy
// OnDelete, pods have their old revision until a user deletes them, so their revision does not count. `failure` is
// always empty, because StatefulSets report no failures.
//
// A projection of the StatefulSet must have `spec` and `status`.
[[nodiscard]] Rollout rollout_of(const apps::v1::StatefulSet& stateful_set);

}  // namespace keelson::controller
