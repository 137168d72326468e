// The progress of a Deployment's rollout, computed from its status as `kubectl rollout status` does.
//
// Example (test/examples/controller.cpp#rollout):
//   void report(const apps::v1::Deployment& deployment, Pass<Memcached>& pass) {
//     const auto rollout = controller::rollout_of(deployment);
//     if (!rollout.failure.empty()) {
//       pass.stalled("RolloutFailed", rollout.failure);
//     } else if (!rollout.is_complete()) {
//       pass.reconciling("RollingOut", rollout.waits_for);
//     } else {
//       pass.ready("RolledOut", "All replicas are available.");
//     }
//   }
#pragma once

#include <cstdint>
#include <string>

#include "keelson/api/apps/v1/deployment.hpp"

namespace keelson::controller {

struct Rollout {
  std::int32_t replicas = 1;        // desired; 1 if the spec has none, as the API server defaults it
  std::int32_t ready_replicas = 0;  // of any generation
  // The next step, "1 of 3 updated replicas are available". Empty: all desired replicas have the template of the
  // current generation and are available, and no older replica is left.
  std::string waits_for;
  // Why there is no progress: the message of the condition ReplicaFailure (True) or Progressing (False). Empty: none.
  // A paused Deployment has not failed.
  std::string failure;

  [[nodiscard]] bool is_complete() const { return waits_for.empty(); }
  bool operator==(const Rollout&) const = default;
};

// A projection of the Deployment must have `spec` and `status`.
[[nodiscard]] Rollout rollout_of(const apps::v1::Deployment& deployment);

}  // namespace keelson::controller
