// The ReplicaSet controller: maintains the desired number of pods, and writes their numbers into the status.
#include <algorithm>

#include "src/sandbox/controllers/workloads.hpp"

namespace keelson::sandbox {

namespace {

bool is_ready_now(const Operations& operations, const kube::Object& pod) {
  const Tree* tree = operations.tree(kube::pods(), pod.key());
  return tree != nullptr && is_ready(*tree);
}

// Pods that are not ready are deleted first, then the youngest.
void remove_pods(Operations& operations, const kube::Object& replica_set, std::vector<kube::Object> pods,
                 std::size_t count) {
  std::ranges::stable_sort(pods, [&operations](const kube::Object& left, const kube::Object& right) {
    const bool left_ready = is_ready_now(operations, left);
    const bool right_ready = is_ready_now(operations, right);
    if (left_ready != right_ready) return right_ready;
    return left.resource_version() > right.resource_version();
  });
  for (std::size_t i = 0; i < count; ++i) remove_owned(operations, kube::replica_sets(), replica_set, pods[i].key());
}

// Writes the status, and returns when the next pod becomes available.
Again write_status(Operations& operations, const kube::Object& replica_set) {
  const Tree* tree = operations.tree(kube::replica_sets(), replica_set.key());
  auto min_ready = tree->integer_at({"spec", "minReadySeconds"});
  std::int64_t count = 0;
  std::int64_t ready = 0;
  std::int64_t available = 0;
  std::int64_t terminating = 0;
  Again again;
  for (const auto& pod : operations.owned(kube::pods(), replica_set)) {
    const Tree* pod_tree = operations.tree(kube::pods(), pod.key());
    if (pod.deleting() && !is_done(*pod_tree)) ++terminating;
    if (pod.deleting() || is_done(*pod_tree)) continue;
    ++count;
    auto wait = until_available(operations.world, *pod_tree, min_ready);
    if (wait) ++ready;
    if (wait == async::Duration::zero()) ++available;
    if (wait > async::Duration::zero()) again = earlier(again, operations.world.controller_clock.now() + *wait);
  }
  auto status = status_of(*tree);
  status["replicas"] = count;
  set_count(status, "fullyLabeledReplicas", count);
  set_count(status, "readyReplicas", ready);
  set_count(status, "availableReplicas", available);
  status["terminatingReplicas"] = terminating;
  status["observedGeneration"] = tree->integer_at({"metadata", "generation"});
  operations.write_status(kube::replica_sets(), replica_set.key(), std::move(status));
  return again;
}

}  // namespace

Again sync_replica_set(Operations& operations, const kube::Object& replica_set) {
  const Tree* tree = operations.tree(kube::replica_sets(), replica_set.key());
  if (tree == nullptr || replica_set.deleting()) return std::nullopt;
  auto wanted = static_cast<std::size_t>(std::max<std::int64_t>(0, tree->integer_at({"spec", "replicas"})));
  auto pods = operations.owned(kube::pods(), replica_set);
  std::erase_if(pods, [&operations](const kube::Object& pod) {
    return pod.deleting() || is_done(*operations.tree(kube::pods(), pod.key()));
  });
  if (pods.size() < wanted) {
    auto pod = pod_of(tree->at({"spec", "template"}), kube::replica_sets(), replica_set);
    auto prefix = std::string(replica_set.name());
    // Creating these pods triggers another sync, which creates the rest.
    auto missing = std::min(wanted - pods.size(), kBurst);
    for (std::size_t i = 0; i < missing; ++i) create_named(operations, kube::replica_sets(), replica_set, prefix, pod);
  } else if (pods.size() > wanted) {
    auto surplus = std::min(pods.size() - wanted, kBurst);
    remove_pods(operations, replica_set, std::move(pods), surplus);
  }
  return write_status(operations, replica_set);
}

}  // namespace keelson::sandbox
