#include "src/controllers/memcached/memcached_facts.hpp"

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

Result<void> look_at_deployment(const kube::Object& deployment, MemcachedFacts& facts) {
  auto fields = kube::Fields::of(deployment);
  if (!fields) return std::move(fields.error());
  auto status = fields->at({"status"});
  if (!status) return std::move(status.error());
  auto number = [&](std::string_view name) { return status->find(name).integer().value_or(0); };
  facts.rolled_out = number("observedGeneration") >= deployment.generation() &&
                     number("updatedReplicas") == facts.size && number("replicas") == facts.size;
  for (auto condition : status->find("conditions").items()) {
    auto type = condition.find("type").string().value_or("");
    auto holds = condition.find("status").string().value_or("");
    // Progressing is Unknown while someone has paused the Deployment: that is a wish, and no failure.
    bool failed = (type == "ReplicaFailure" && holds == "True") || (type == "Progressing" && holds == "False");
    if (failed) facts.failure = condition.find("message").string().value_or("the Deployment does not progress");
  }
  return {};
}

Result<void> look_at_pods(const kube::Object& deployment, const cache::Informer& replica_sets,
                          const cache::Informer& pods, MemcachedFacts& facts) {
  for (const auto& pod : pods.by_index(cache::label_index(kOwnerLabel), deployment.name())) {
    if (pod.ns() != deployment.ns() || pod.deleting()) continue;
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
