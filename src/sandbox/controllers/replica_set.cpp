// The controllers of ReplicaSets and ReplicationControllers: maintain the desired number of pods, and write their
// numbers into the status.
#include <algorithm>

#include "src/sandbox/controllers/selects.hpp"
#include "src/sandbox/controllers/workloads.hpp"

namespace keelson::sandbox {

namespace {

bool is_replication_controller(const Sync& sync) { return sync.kind.resource.group.empty(); }

// Finished pods do not count, so they are not adopted.
void claim_pods(Sync& sync) {
  const auto selector = sync.tree.copy_at({"spec", "selector"});
  const bool is_map = is_replication_controller(sync);
  sync.claim(kube::pods(), [&](const StoredObject& pod) {
    const bool is_selected = is_map ? selects_by_map(&selector, pod.object) : selects(&selector, pod.object);
    return is_selected && (pod.object.controller_owner() || !is_done(pod.tree));
  });
}

// Pods that are not ready are deleted first, then the youngest.
void remove_pods(Sync& sync, std::vector<StoredObject> pods, std::size_t count) {
  std::ranges::stable_sort(pods, [](const StoredObject& left, const StoredObject& right) {
    const bool left_ready = is_ready(left.tree);
    const bool right_ready = is_ready(right.tree);
    if (left_ready != right_ready) return right_ready;
    return left.object.resource_version() > right.object.resource_version();
  });
  for (std::size_t i = 0; i < count; ++i) sync.remove_pod(pods[i].object.key());
}

// The condition remains as it is while pods are rejected, as in Kubernetes.
void set_failure(const Sync& sync, Tree& status) {
  constexpr const char* kFailure = "ReplicaFailure";
  const bool fails = !sync.pod_rejection().empty();
  const bool has_condition = condition_in(status, kFailure) != nullptr;
  if (fails && !has_condition) {
    set_condition(status, new_condition(kFailure, true, "FailedCreate", sync.pod_rejection()),
                  sync.operations.world.time_text());
  } else if (!fails && has_condition) {
    remove_condition(status, kFailure);
  }
}

void write_status(Sync& sync) {
  std::int64_t count = 0;
  std::int64_t ready = 0;
  std::int64_t available = 0;
  std::int64_t terminating = 0;
  std::int64_t labeled = 0;
  const Tree* labels = sync.tree.at({"spec", "template", "metadata", "labels"});
  for (const auto& [pod, tree] : sync.owned(kube::pods())) {
    if (pod.deleting() && !is_done(tree)) ++terminating;
    if (pod.deleting() || is_done(tree)) continue;
    ++count;
    if (labels == nullptr || selects_by_map(labels, pod)) ++labeled;
    if (is_ready(tree)) ++ready;
    if (sync.is_available(tree)) ++available;
  }
  auto status = sync.next_status();
  set_failure(sync, status);
  status["replicas"] = count;
  set_count(status, "fullyLabeledReplicas", labeled);
  set_count(status, "readyReplicas", ready);
  set_count(status, "availableReplicas", available);
  if (!is_replication_controller(sync)) status["terminatingReplicas"] = terminating;
  sync.write_status(std::move(status));
}

}  // namespace

void sync_replica_set(Sync& sync) {
  if (sync.object.deleting()) return;
  claim_pods(sync);
  const auto desired = static_cast<std::size_t>(std::max<std::int64_t>(0, sync.tree.integer_at({"spec", "replicas"})));
  auto pods = sync.owned(kube::pods());
  std::erase_if(pods, [](const StoredObject& pod) { return pod.object.deleting() || is_done(pod.tree); });
  if (pods.size() < desired) {
    const auto pod = sync.pod_of(sync.tree.at({"spec", "template"}));
    // Creating these pods triggers another sync, which creates the rest.
    const auto missing = std::min(desired - pods.size(), kBurst);
    for (std::size_t i = 0; i < missing; ++i) {
      if (!sync.create_pod(sync.name(), pod)) break;
    }
  } else if (pods.size() > desired) {
    const auto surplus = std::min(pods.size() - desired, kBurst);
    remove_pods(sync, std::move(pods), surplus);
  }
  write_status(sync);
}

}  // namespace keelson::sandbox
