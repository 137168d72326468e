// How far the rollout of a StatefulSet has come, by its own status. This header is separate from rollout.hpp so that a
// program links only the kinds that it uses.
#pragma once

#include "keelson/api/apps/v1/stateful_set.hpp"
#include "keelson/controller/rollout.hpp"

namespace keelson::controller {

// A rollout is complete when the newest spec is observed, the pods are as many as desired and ready, and they have the
// new revision: all of them, or those from the partition on, as for `kubectl rollout status`. With the strategy
// OnDelete pods keep their revision until a user deletes them, so their revision does not count. `failure` is always
// empty: StatefulSets report none.
//
// A projection of the StatefulSet has to keep `spec` and `status`.
[[nodiscard]] Rollout rollout_of(const apps::v1::StatefulSet& stateful_set);

}  // namespace keelson::controller
