// The progress of a Deployment's rollout, computed from its status as `kubectl rollout status` does.
//
// rollout_of(deployment, pass) in pod_rollout.hpp also finds what is wrong with its pods.
//
// Example (test/examples/controller.cpp#rollout):
//   void report(const apps::v1::Deployment& deployment, Pass<Memcached>& pass) {
//     const auto rollout = controller::rollout_of(deployment);
//     if (rollout.has_failed()) {
//       pass.stalled(rollout.problem->reason, rollout.problem->message);
//     } else if (rollout.problem) {
//       pass.reconciling(rollout.problem->reason, rollout.problem->message);
//     } else if (!rollout.is_complete()) {
//       pass.reconciling("RollingOut", rollout.waits_for);
//     } else {
//       pass.ready("RolledOut", "All replicas are available.");
//     }
//   }
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "keelson/api/apps/v1/deployment.hpp"
#include "keelson/async/clock.hpp"
#include "keelson/schema/condition.hpp"

namespace keelson::controller {

// What is wrong with a workload, in Kubernetes' words. Both texts stay the same while the problem does, so that a
// condition with them is not written again with each restart of a container.
struct RolloutProblem {
  std::string reason;   // of a condition: "QuotaExceeded", "CrashLoopBackOff"
  std::string message;  // "Pod web-x on node n1: container web …, exit code 1 (Error), 5 restarts."

  bool operator==(const RolloutProblem&) const = default;
};

struct Rollout {
  std::int32_t replicas = 1;        // desired; 1 if the spec has none, as the API server defaults it
  std::int32_t ready_replicas = 0;  // of any generation
  // The next step, "1 of 3 updated replicas are available". Empty: all desired replicas have the template of the
  // current generation and are available, and no older replica is left.
  std::string waits_for;
  // Why there is no progress: the message of the condition ReplicaFailure (True) or Progressing (False). Empty: none.
  // A paused Deployment has not failed.
  std::string failure;
  // What to report as Degraded: the failure, with the reason QuotaExceeded, FailedCreate or ProgressDeadlineExceeded,
  // or the worst problem of the pods (pod_rollout.hpp), which is more specific. Absent: nothing is wrong.
  std::optional<RolloutProblem> problem{};
  // When a pod that is not ready becomes a problem if it does not change: reconcile again then. Absent: never.
  std::optional<async::WallTime> check_at{};

  [[nodiscard]] bool is_complete() const { return waits_for.empty(); }
  // True if Kubernetes has given up: a user or administrator must act. Otherwise waiting may be enough.
  [[nodiscard]] bool has_failed() const { return !failure.empty(); }
  bool operator==(const Rollout&) const = default;
};

// A projection of the Deployment must have `spec` and `status`.
[[nodiscard]] Rollout rollout_of(const apps::v1::Deployment& deployment);

// The condition `type` of `after` if it is True and was not True with this reason in `before`; otherwise null. Record a
// Warning Event for it after write_status(): once for each problem, whatever happens to its message.
[[nodiscard]] const kube::Condition* new_problem(const std::vector<kube::Condition>& before,
                                                 const std::vector<kube::Condition>& after, std::string_view type);

}  // namespace keelson::controller
