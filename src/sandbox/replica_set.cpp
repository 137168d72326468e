// What the ReplicaSet controller does: as many pods as wanted, and their number in the status.
#include <algorithm>

#include "src/sandbox/workloads.hpp"

namespace keelson::sandbox {

namespace {

bool is_ready(const Operations& operations, const kube::Object& pod) {
  const Tree* tree = operations.tree(kube::pods(), pod.key());
  return tree != nullptr && tree->text_at({"status", "phase"}) == "Running";
}

void create_pod(Operations& operations, const kube::Object& replica_set, const Tree& pod_template) {
  auto pod = Tree::object();
  pod["metadata"] = Tree::object();
  for (const char* name : {"labels", "annotations"}) {
    if (const Tree* value = pod_template.at({"metadata", name})) pod["metadata"][name] = *value;
  }
  auto prefix = std::string(replica_set.name()) + "-";
  pod["metadata"]["generateName"] = prefix;
  pod["metadata"]["name"] = prefix + operations.world.random_suffix();
  pod["metadata"]["ownerReferences"] = controlled_by(kube::replica_sets(), replica_set);
  if (const Tree* spec = pod_template.find("spec")) pod["spec"] = *spec;
  pod["status"] = Tree::object({{"phase", "Pending"}});
  operations.create(kube::pods(), std::string(replica_set.ns()), std::move(pod));
}

// Pods that do not work go first, then the youngest.
void remove_pods(Operations& operations, std::vector<kube::Object> pods, std::size_t count) {
  std::stable_sort(pods.begin(), pods.end(), [&operations](const kube::Object& left, const kube::Object& right) {
    bool left_ready = is_ready(operations, left);
    bool right_ready = is_ready(operations, right);
    if (left_ready != right_ready) return right_ready;
    return left.resource_version() > right.resource_version();
  });
  for (std::size_t i = 0; i < count; ++i) operations.remove(kube::pods(), pods[i].key());
}

void write_status(Operations& operations, const kube::Object& replica_set) {
  auto pods = operations.owned(kube::pods(), replica_set);
  std::erase_if(pods, [](const kube::Object& pod) { return pod.deleting(); });
  auto ready = std::count_if(pods.begin(), pods.end(),
                             [&operations](const kube::Object& pod) { return is_ready(operations, pod); });
  const Tree* tree = operations.tree(kube::replica_sets(), replica_set.key());
  auto next = *tree;
  auto& status = next["status"];
  if (!status.is_object()) status = Tree::object();
  auto count = static_cast<std::int64_t>(pods.size());
  status["replicas"] = count;
  set_count(status, "fullyLabeledReplicas", count);
  set_count(status, "readyReplicas", ready);
  set_count(status, "availableReplicas", ready);
  status["observedGeneration"] = tree->integer_at({"metadata", "generation"});
  operations.write(kube::replica_sets(), replica_set.key(), std::move(next), "status");
}

}  // namespace

void sync_replica_set(Operations& operations, const kube::Object& replica_set) {
  const Tree* tree = operations.tree(kube::replica_sets(), replica_set.key());
  if (tree == nullptr || replica_set.deleting()) return;
  auto wanted = static_cast<std::size_t>(std::max<std::int64_t>(0, tree->integer_at({"spec", "replicas"})));
  const Tree* found = tree->at({"spec", "template"});
  auto pod_template = found != nullptr ? *found : Tree();
  auto pods = operations.owned(kube::pods(), replica_set);
  std::erase_if(pods, [](const kube::Object& pod) { return pod.deleting(); });
  for (auto i = pods.size(); i < wanted; ++i) create_pod(operations, replica_set, pod_template);
  if (pods.size() > wanted) {
    auto surplus = pods.size() - wanted;
    remove_pods(operations, std::move(pods), surplus);
  }
  write_status(operations, replica_set);
}

}  // namespace keelson::sandbox
