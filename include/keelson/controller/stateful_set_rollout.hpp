// How far the rollout of a StatefulSet has come, by its own status. Apart from rollout.hpp, so that a program contains
// the tables of the kinds that it uses only.
#pragma once

#include "keelson/api/apps/v1/stateful_set.hpp"
#include "keelson/controller/rollout.hpp"

namespace keelson::controller {

// Waits for what `kubectl rollout status` waits for: an observed spec, as many ready pods as desired, and all pods of
// the new revision, or those from the partition on. With the strategy OnDelete pods keep their revision until a user
// deletes them, so it waits for ready pods only. `failure` is always empty: StatefulSets report none.
//
// A projection of the StatefulSet has to keep `spec` and `status`.
[[nodiscard]] Rollout rollout_of(const apps::v1::StatefulSet& stateful_set);

}  // namespace keelson::controller
