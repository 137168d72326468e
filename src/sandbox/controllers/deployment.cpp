// What the deployment controller does: one ReplicaSet a template, old ones made room for step by step.
#include <algorithm>

#include "src/sandbox/controllers/pods.hpp"
#include "src/sandbox/controllers/workloads.hpp"

namespace keelson::sandbox {

namespace {

constexpr const char* kTemplateHashLabel = "pod-template-hash";
constexpr const char* kRevision = "deployment.kubernetes.io/revision";

// The deployment and its ReplicaSets as they are now, in numbers.
struct Rollout {
  std::int64_t wanted = 0;
  std::int64_t surge = 0;
  std::int64_t unavailable = 0;
  bool recreates = false;
  kube::Key current;           // ReplicaSet of the template as it is
  std::vector<kube::Key> old;  // of templates of before
};

std::int64_t specified(const Operations& operations, const kube::Key& key) {
  const Tree* tree = operations.tree(kube::replica_sets(), key);
  return tree == nullptr ? 0 : tree->integer_at({"spec", "replicas"});
}

std::int64_t counted(const Operations& operations, const kube::Key& key, const char* field) {
  const Tree* tree = operations.tree(kube::replica_sets(), key);
  return tree == nullptr ? 0 : tree->integer_at({"status", field});
}

void scale(Operations& operations, const kube::Key& key, std::int64_t replicas) {
  const Tree* tree = operations.tree(kube::replica_sets(), key);
  if (tree == nullptr || tree->integer_at({"spec", "replicas"}) == replicas) return;
  auto next = *tree;
  next["spec"]["replicas"] = replicas;
  operations.write(kube::replica_sets(), key, std::move(next));
}

Rollout rollout_of(const Operations& operations, const kube::Object& deployment, const Tree& tree) {
  Rollout rollout;
  rollout.wanted = tree.integer_at({"spec", "replicas"}, 1);
  rollout.recreates = tree.text_at({"spec", "strategy", "type"}) == "Recreate";
  if (!rollout.recreates) {
    const Tree* rolling = tree.at({"spec", "strategy", "rollingUpdate"});
    rollout.surge = share_of(rolling != nullptr ? rolling->find("maxSurge") : nullptr, rollout.wanted, true);
    rollout.unavailable =
        share_of(rolling != nullptr ? rolling->find("maxUnavailable") : nullptr, rollout.wanted, false);
    if (rollout.surge == 0 && rollout.unavailable == 0) rollout.unavailable = 1;
  }
  const Tree* pod_template = tree.at({"spec", "template"});
  auto name = std::string(deployment.name()) + "-" + hash_of(pod_template != nullptr ? pod_template->text() : "null");
  rollout.current = kube::Key(deployment.ns(), name);
  for (const auto& replica_set : operations.owned(kube::replica_sets(), deployment)) {
    if (replica_set.key() != rollout.current) rollout.old.push_back(replica_set.key());
  }
  return rollout;
}

void make_current(Operations& operations, const kube::Object& deployment, const Tree& tree, const Rollout& rollout) {
  if (operations.tree(kube::replica_sets(), rollout.current) != nullptr) return;
  auto hash = rollout.current.name.substr(deployment.name().size() + 1);
  auto spec = Tree::object({{"replicas", rollout.old.empty() ? rollout.wanted : 0}});
  for (const char* name : {"selector", "template"}) {
    if (const Tree* value = tree.at({"spec", name})) spec[name] = *value;
  }
  spec["selector"]["matchLabels"][kTemplateHashLabel] = hash;
  spec["template"]["metadata"]["labels"][kTemplateHashLabel] = hash;
  auto metadata = Tree::object({{"name", rollout.current.name}, {"labels", spec["template"]["metadata"]["labels"]}});
  auto revision = std::to_string(rollout.old.size() + 1);
  metadata["annotations"] = Tree::object({{kRevision, revision}});
  metadata["ownerReferences"] = controlled_by(kube::deployments(), deployment);
  operations.create(kube::replica_sets(), rollout.current.ns, Tree::object({{"metadata", metadata}, {"spec", spec}}));
  auto next = tree;
  next["metadata"]["annotations"][kRevision] = revision;
  operations.write(kube::deployments(), deployment.key(), std::move(next));
}

// Never more than wanted + surge pods, never fewer than wanted - unavailable that work.
void roll(Operations& operations, const Rollout& rollout) {
  std::int64_t current = specified(operations, rollout.current);
  std::int64_t total = current;
  std::int64_t pods_of_old = 0;
  for (const auto& key : rollout.old) {
    total += specified(operations, key);
    pods_of_old += counted(operations, key, "replicas");
  }
  if (rollout.recreates) {
    for (const auto& key : rollout.old) scale(operations, key, 0);
    if (pods_of_old == 0) scale(operations, rollout.current, rollout.wanted);
    return;
  }
  auto room = std::max<std::int64_t>(0, rollout.wanted + rollout.surge - total);
  auto next = rollout.old.empty() ? rollout.wanted : std::min(rollout.wanted, current + room);
  scale(operations, rollout.current, next);
  auto not_ready = next - counted(operations, rollout.current, "availableReplicas");
  auto may_go =
      total + (next - current) - (rollout.wanted - rollout.unavailable) - std::max<std::int64_t>(0, not_ready);
  for (const auto& key : rollout.old) {
    auto has = specified(operations, key);
    auto works = counted(operations, key, "availableReplicas");
    auto broken = std::max<std::int64_t>(0, has - works);  // these serve nobody
    auto less = std::clamp<std::int64_t>(std::max(may_go, broken), 0, has);
    scale(operations, key, has - less);
    may_go -= less;
  }
}

void write_status(Operations& operations, const kube::Object& deployment, const Rollout& rollout) {
  const Tree* tree = operations.tree(kube::deployments(), deployment.key());
  if (tree == nullptr) return;
  auto next = *tree;
  auto& status = next["status"];
  if (!status.is_object()) status = Tree::object();
  std::int64_t replicas = counted(operations, rollout.current, "replicas");
  std::int64_t ready = counted(operations, rollout.current, "readyReplicas");
  auto updated = replicas;
  for (const auto& key : rollout.old) {
    replicas += counted(operations, key, "replicas");
    ready += counted(operations, key, "readyReplicas");
  }
  status["observedGeneration"] = tree->integer_at({"metadata", "generation"});
  set_count(status, "replicas", replicas);
  set_count(status, "updatedReplicas", updated);
  set_count(status, "readyReplicas", ready);
  set_count(status, "availableReplicas", ready);
  set_count(status, "unavailableReplicas", std::max<std::int64_t>(0, std::max(rollout.wanted, replicas) - ready));
  bool is_available = ready >= rollout.wanted - rollout.unavailable;
  bool is_complete = updated == rollout.wanted && replicas == updated && ready == replicas;
  auto now = operations.world.time_text();
  set_condition(status,
                Tree::object({{"type", "Available"},
                              {"status", is_available ? "True" : "False"},
                              {"reason", is_available ? "MinimumReplicasAvailable" : "MinimumReplicasUnavailable"},
                              {"message", is_available ? "Deployment has minimum availability."
                                                       : "Deployment does not have minimum availability."}}),
                now);
  set_condition(
      status,
      Tree::object({{"type", "Progressing"},
                    {"status", "True"},
                    {"reason", is_complete ? "NewReplicaSetAvailable" : "ReplicaSetUpdated"},
                    {"message", "ReplicaSet \"" + rollout.current.name +
                                    (is_complete ? "\" has successfully progressed." : "\" is progressing.")}}),
      now);
  operations.write(kube::deployments(), deployment.key(), std::move(next), "status");
}

}  // namespace

Again sync_deployment(Operations& operations, const kube::Object& deployment) {
  const Tree* tree = operations.tree(kube::deployments(), deployment.key());
  if (tree == nullptr || deployment.deleting()) return std::nullopt;
  auto as_it_is = *tree;
  auto rollout = rollout_of(operations, deployment, as_it_is);
  make_current(operations, deployment, as_it_is, rollout);
  roll(operations, rollout);
  write_status(operations, deployment, rollout);
  return std::nullopt;
}

}  // namespace keelson::sandbox
