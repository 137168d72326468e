#include "src/controllers/memcached/memcached_facts.hpp"

#include "keelson/controller/rollout.hpp"
#include "keelson/kube/fields.hpp"
#include "src/controllers/memcached/memcached_children.hpp"

namespace keelson::controllers {

namespace {

bool is_pod_of(const kube::Object& pod, const kube::Object& deployment, const cache::Informer& replica_sets) {
  auto owner = pod.controller_owner();
  if (!owner || owner->kind != "ReplicaSet") return false;
  auto replica_set = replica_sets.get(kube::Key(pod.ns(), owner->name));
  if (!replica_set || replica_set->uid() != owner->uid) return false;
  auto grand_owner = replica_set->controller_owner();
  return grand_owner && grand_owner->uid == deployment.uid();
}

}  // namespace

std::vector<std::string> memcacheds_of_label(const kube::Object& object) {
  auto name = object.label(kOwnerLabel);
  return name ? std::vector{kube::Key(object.ns(), *name).text()} : std::vector<std::string>();
}

Result<void> look_at_deployment(const kube::Object& deployment, MemcachedFacts& facts) {
  auto rollout = controller::rollout_of(deployment);
  if (!rollout) return std::move(rollout.error());
  facts.rolled_out = rollout->is_complete();
  facts.failure = rollout->failure;
  return {};
}

Result<void> look_at_pods(const kube::Object& deployment, const cache::Informer& replica_sets,
                          const cache::Informer& pods, MemcachedFacts& facts) {
  for (const auto& pod : pods.by_index(kLabelledIndex, deployment.key().text())) {
    if (pod.deleting()) continue;
    if (!is_pod_of(pod, deployment, replica_sets)) continue;
    auto fields = kube::Fields::of(pod);
    if (!fields) return std::move(fields.error());
    auto phase = fields->at({"status", "phase"});
    if (!phase) return std::move(phase.error());
    if (phase->string() == "Failed" || phase->string() == "Succeeded") continue;
    auto conditions = fields->at({"status", "conditions"});
    if (!conditions) return std::move(conditions.error());
    facts.nodes.emplace_back(pod.name());
    for (auto condition : conditions->items()) {
      bool is_ready = condition.find("type").string() == "Ready" && condition.find("status").string() == "True";
      if (is_ready) ++facts.ready_nodes;
    }
  }
  return {};
}

}  // namespace keelson::controllers
