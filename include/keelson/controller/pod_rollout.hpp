// The rollout of a Deployment with the problems of its pods: crash loops, images that cannot be pulled, lost nodes.
//
// Watch the ReplicaSets and the pods of your Deployments by a label, as in the example, so that a reconcile begins when
// a pod changes. Set the condition Degraded of your kind (own_condition.hpp) with the problem: the metrics, /statusz,
// `explain` and `doctor` count and name such objects. This header is separate from rollout.hpp so that a program links
// only the kinds that it uses.
//
// Example (test/examples/controller.cpp#pod-rollout):
//   Reconciled observe(const Cache& cache, Pass<Cache>& pass) {
//     KEELSON_CO_LET(const auto deployment, pass.child<apps::v1::Deployment>(cache.name()));
//     if (!deployment) co_return done();
//     KEELSON_CO_LET(const auto rollout, controller::rollout_of(*deployment, pass));
//     const auto state = rollout.is_complete() ? "All pods are available." : rollout.waits_for + ".";
//     const auto problem = rollout.problem.value_or(controller::RolloutProblem{"AsExpected", state});
//     pass.condition("Degraded", rollout.problem.has_value(), problem.reason, problem.message);
//     co_return controller::check_again(rollout, pass.clock.wall_now());
//   }
//
//   controller::Definition observed() {
//     const auto by_label = controller::map_by_label(kube::resource_of<Cache>(), "cache");
//     return controller_for<Cache>(observe)
//         .owns<apps::v1::Deployment>()
//         .watches<apps::v1::ReplicaSet>(by_label, controller::replica_sets_of_rollouts("cache"_selector))
//         .watches<core::v1::Pod>(by_label, controller::pods_of_rollouts("cache"_selector));
//   }
//
// When a pod is a problem; before that, it is just not ready:
//
// - CrashLoopBackOff: a container waits with it, or runs again after two crashes, for less than twice the time that it
//   ran before (1 to 10 minutes).
// - ImagePullBackOff, CreateContainerConfigError, …: a container waits with an error as its reason, and the pod is not
//   ready for 10 s.
// - NodeLost: the pod is not ready although its containers are, because the node does not report any more.
// - Unschedulable: no node fits for 2 minutes; an autoscaler may add one until then.
// - PodNotReady: the pod is not ready for the Deployment's progressDeadlineSeconds (10 minutes).
//
// Pods that have ended or are being deleted do not count. Of several problems the first of the list is reported.
#pragma once

#include <utility>
#include <vector>

#include "keelson/api/apps/v1/replica_set.hpp"
#include "keelson/api/core/v1/pod.hpp"
#include "keelson/base/try.hpp"
#include "keelson/controller/definition.hpp"
#include "keelson/controller/rollout.hpp"

namespace keelson::controller {

// The paths of a Pod that rollout_of() reads: about 600 bytes of each pod. `phase` and the conditions are among them.
[[nodiscard]] json::Projection pod_rollout_projection();
// The watches of the ReplicaSets and pods with these labels.
[[nodiscard]] WatchOptions replica_sets_of_rollouts(kube::Selector labels);
[[nodiscard]] WatchOptions pods_of_rollouts(kube::Selector labels);

// The pods of the Deployment are `pods`. Without I/O.
[[nodiscard]] Rollout rollout_of(const apps::v1::Deployment& deployment, const std::vector<core::v1::Pod>& pods,
                                 async::WallTime now);

// The pods of the Deployment's ReplicaSets in the cache, found by owner references, because any user can set labels.
template <class P>
[[nodiscard]] Result<std::vector<core::v1::Pod>> pods_of(const apps::v1::Deployment& deployment, const P& pass) {
  std::vector<core::v1::Pod> all;
  KEELSON_LET(const auto replica_sets, pass.template children_of<apps::v1::ReplicaSet>(deployment));
  for (const auto& replica_set : replica_sets) {
    KEELSON_LET(auto pods, pass.template children_of<core::v1::Pod>(replica_set));
    for (auto& pod : pods) all.push_back(std::move(pod));
  }
  return all;
}

template <class P>
[[nodiscard]] Result<Rollout> rollout_of(const apps::v1::Deployment& deployment, const P& pass) {
  KEELSON_LET(const auto pods, pods_of(deployment, pass));
  return rollout_of(deployment, pods, pass.clock.wall_now());
}

// The end of a pass: done(), or another pass at `check_at` if there is one.
[[nodiscard]] Outcome check_again(const Rollout& rollout, async::WallTime now);

// True if the pod has neither ended nor is being deleted.
[[nodiscard]] bool is_live(const core::v1::Pod& pod);
[[nodiscard]] bool is_ready(const core::v1::Pod& pod);

}  // namespace keelson::controller
