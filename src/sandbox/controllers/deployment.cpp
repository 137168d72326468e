// The Deployment controller: one ReplicaSet for each template; old ones are scaled down step by step.
#include <algorithm>

#include "keelson/detail/base/parse_number.hpp"
#include "src/sandbox/controllers/pods.hpp"
#include "src/sandbox/controllers/workloads.hpp"

namespace keelson::sandbox {

namespace {

constexpr const char* kTemplateHashLabel = "pod-template-hash";
constexpr const char* kRevision = "deployment.kubernetes.io/revision";
constexpr const char* kDesiredReplicas = "deployment.kubernetes.io/desired-replicas";
constexpr const char* kMaxReplicas = "deployment.kubernetes.io/max-replicas";
// Annotations of a Deployment that are not copied to its ReplicaSets.
constexpr const char* kOwnAnnotations[] = {"kubectl.kubernetes.io/last-applied-configuration",
                                           kRevision,
                                           "deployment.kubernetes.io/revision-history",
                                           kDesiredReplicas,
                                           kMaxReplicas,
                                           "deprecated.deployment.rollback.to"};

// The current numbers of a Deployment and its ReplicaSets.
struct Rollout {
  std::int64_t wanted = 0;
  std::int64_t surge = 0;
  std::int64_t unavailable = 0;
  bool recreates = false;
  bool is_paused = false;
  kube::Key current;           // the ReplicaSet of the current template
  std::vector<kube::Key> old;  // the ReplicaSets of former templates
};

std::int64_t specified(const Operations& operations, const kube::Key& key) {
  const Tree* tree = operations.tree(kube::replica_sets(), key);
  return tree == nullptr ? 0 : tree->integer_at({"spec", "replicas"});
}

std::int64_t counted(const Operations& operations, const kube::Key& key, const char* field) {
  const Tree* tree = operations.tree(kube::replica_sets(), key);
  return tree == nullptr ? 0 : tree->integer_at({"status", field});
}

std::int64_t revision_of(const Tree& tree) {
  return base::parse_number<std::int64_t>(tree.text_at({"metadata", "annotations", kRevision})).value_or(0);
}

// The template without the label that the controller adds.
bool has_template(const Tree& replica_set, const Tree& pod_template) {
  const Tree* found = replica_set.at({"spec", "template"});
  if (found == nullptr) return false;
  auto own = *found;
  if (Tree* labels = own["metadata"].find("labels")) labels->erase(kTemplateHashLabel);
  return own == pod_template;
}

void set_counts(Tree& replica_set, const Rollout& rollout) {
  auto& annotations = replica_set["metadata"]["annotations"];
  annotations[kDesiredReplicas] = std::to_string(rollout.wanted);
  annotations[kMaxReplicas] = std::to_string(rollout.wanted + rollout.surge);
}

void scale(Operations& operations, const kube::Object& deployment, const Rollout& rollout, const kube::Key& key,
           std::int64_t replicas) {
  const Tree* tree = operations.tree(kube::replica_sets(), key);
  if (tree == nullptr) return;
  auto former = tree->integer_at({"spec", "replicas"});
  auto next = *tree;
  set_counts(next, rollout);
  next["spec"]["replicas"] = replicas;
  if (next == *tree) return;
  operations.write(kube::replica_sets(), key, std::move(next));
  if (former == replicas) return;
  operations.record(kube::deployments(), deployment, "ScalingReplicaSet",
                    std::string(former < replicas ? "Scaled up" : "Scaled down") + " replica set " + key.name +
                        " from " + std::to_string(former) + " to " + std::to_string(replicas));
}

Rollout rollout_of(const Operations& operations, const kube::Object& deployment, const Tree& tree) {
  Rollout rollout;
  rollout.wanted = tree.integer_at({"spec", "replicas"}, 1);
  rollout.recreates = tree.text_at({"spec", "strategy", "type"}) == "Recreate";
  if (!rollout.recreates) {
    const auto rolling = tree.copy_at({"spec", "strategy", "rollingUpdate"});
    rollout.surge = share_of(rolling.find("maxSurge"), rollout.wanted, true);
    rollout.unavailable = std::min(rollout.wanted, share_of(rolling.find("maxUnavailable"), rollout.wanted, false));
    if (rollout.surge == 0 && rollout.unavailable == 0) rollout.unavailable = 1;
  }
  rollout.is_paused = tree.is_true_at({"spec", "paused"});
  const Tree* pod_template = tree.at({"spec", "template"});
  auto name = std::string(deployment.name()) + "-" + hash_of(pod_template != nullptr ? pod_template->text() : "null");
  rollout.current = kube::Key(deployment.ns(), name);
  auto owned = operations.owned(kube::replica_sets(), deployment);
  for (const auto& replica_set : owned) {
    const Tree* own = operations.tree(kube::replica_sets(), replica_set.key());
    if (pod_template != nullptr && has_template(*own, *pod_template)) rollout.current = replica_set.key();
  }
  for (const auto& replica_set : owned) {
    if (replica_set.key() != rollout.current) rollout.old.push_back(replica_set.key());
  }
  return rollout;
}

std::int64_t newest_revision(const Operations& operations, const Rollout& rollout) {
  std::int64_t newest = 0;
  for (const auto& key : rollout.old) {
    newest = std::max(newest, revision_of(*operations.tree(kube::replica_sets(), key)));
  }
  return newest;
}

void set_annotations(const Tree& deployment, Tree& replica_set, std::int64_t revision) {
  auto& annotations = replica_set["metadata"]["annotations"];
  for (const auto& [name, value] : deployment.members_at({"metadata", "annotations"})) {
    const bool is_own =
        std::find(std::begin(kOwnAnnotations), std::end(kOwnAnnotations), name) != std::end(kOwnAnnotations);
    if (!is_own) annotations[name] = value;
  }
  annotations[kRevision] = std::to_string(revision);
}

void create_current(Operations& operations, const kube::Object& deployment, const Tree& tree, const Rollout& rollout,
                    std::int64_t revision) {
  auto hash = rollout.current.name.substr(deployment.name().size() + 1);
  auto replicas = rollout.old.empty() ? rollout.wanted : 0;
  auto spec = Tree::object({{"replicas", replicas}});
  for (const char* name : {"minReadySeconds", "selector", "template"}) {
    if (const Tree* value = tree.at({"spec", name})) spec[name] = *value;
  }
  spec["selector"]["matchLabels"][kTemplateHashLabel] = hash;
  spec["template"]["metadata"]["labels"][kTemplateHashLabel] = hash;
  auto metadata = Tree::object({{"name", rollout.current.name}, {"labels", spec["template"]["metadata"]["labels"]}});
  metadata["ownerReferences"] = controlled_by(kube::deployments(), deployment);
  auto created = Tree::object({{"metadata", metadata}, {"spec", spec}});
  set_annotations(tree, created, revision);
  set_counts(created, rollout);
  operations.create(kube::replica_sets(), rollout.current.ns, std::move(created));
  if (replicas == 0) return;
  operations.record(kube::deployments(), deployment, "ScalingReplicaSet",
                    "Scaled up replica set " + rollout.current.name + " from 0 to " + std::to_string(replicas));
}

// The ReplicaSet of the current template gets the newest revision, even if it had an older one before.
void make_current(Operations& operations, const kube::Object& deployment, const Tree& tree, const Rollout& rollout) {
  auto revision = newest_revision(operations, rollout) + 1;
  if (const Tree* found = operations.tree(kube::replica_sets(), rollout.current)) {
    revision = std::max(revision, revision_of(*found));
    auto next = *found;
    set_annotations(tree, next, revision);
    operations.write(kube::replica_sets(), rollout.current, std::move(next));
  } else if (!rollout.is_paused) {
    create_current(operations, deployment, tree, rollout, revision);
  } else {
    return;
  }
  if (revision_of(tree) == revision) return;
  auto next = tree;
  next["metadata"]["annotations"][kRevision] = std::to_string(revision);
  operations.write(kube::deployments(), deployment.key(), std::move(next));
}

// Deletes the oldest ReplicaSets without pods beyond revisionHistoryLimit.
void clean_up(Operations& operations, const Tree& tree, const Rollout& rollout) {
  auto limit = tree.integer_at({"spec", "revisionHistoryLimit"}, 10);
  std::vector<std::pair<std::int64_t, kube::Key>> unused;
  for (const auto& key : rollout.old) {
    const Tree& old = *operations.tree(kube::replica_sets(), key);
    const bool is_empty = old.integer_at({"spec", "replicas"}) == 0 && old.integer_at({"status", "replicas"}) == 0;
    if (is_empty) unused.emplace_back(revision_of(old), key);
  }
  auto surplus = static_cast<std::int64_t>(rollout.old.size()) - limit;
  std::ranges::sort(unused);
  for (std::size_t i = 0; i < unused.size() && static_cast<std::int64_t>(i) < surplus; ++i) {
    operations.remove(kube::replica_sets(), unused[i].second);
  }
}

// Scales the ReplicaSets so that there are never more pods than replicas + maxSurge, and never fewer available pods
// than replicas - maxUnavailable.
void roll(Operations& operations, const kube::Object& deployment, const Rollout& rollout) {
  auto scale_to = [&](const kube::Key& key, std::int64_t replicas) {
    scale(operations, deployment, rollout, key, replicas);
  };
  const std::int64_t current = specified(operations, rollout.current);
  std::int64_t total = current;
  std::int64_t pods_of_old = 0;
  for (const auto& key : rollout.old) {
    total += specified(operations, key);
    pods_of_old += counted(operations, key, "replicas");
  }
  if (rollout.recreates) {
    for (const auto& key : rollout.old) scale_to(key, 0);
    if (pods_of_old == 0) scale_to(rollout.current, rollout.wanted);
    return;
  }
  auto room = std::max<std::int64_t>(0, rollout.wanted + rollout.surge - total);
  auto next = rollout.old.empty() ? rollout.wanted : std::min(rollout.wanted, current + room);
  scale_to(rollout.current, next);
  auto not_ready = next - counted(operations, rollout.current, "availableReplicas");
  auto may_go =
      total + (next - current) - (rollout.wanted - rollout.unavailable) - std::max<std::int64_t>(0, not_ready);
  for (const auto& key : rollout.old) {
    auto has = specified(operations, key);
    auto works = counted(operations, key, "availableReplicas");
    auto broken = std::max<std::int64_t>(0, has - works);  // unavailable pods receive no traffic
    auto less = std::clamp<std::int64_t>(std::max(may_go, broken), 0, has);
    scale_to(key, has - less);
    may_go -= less;
  }
}

// Sets a condition with its last update time, which also changes without a transition.
void set_timed_condition(Tree& status, Tree condition, const std::string& now) {
  condition["lastUpdateTime"] = now;
  for (const auto& former : status.items_at({"conditions"})) {
    const bool is_same = former.text_at({"type"}) == condition.text_at({"type"}) &&
                         former.text_at({"status"}) == condition.text_at({"status"}) &&
                         former.text_at({"reason"}) == condition.text_at({"reason"});
    if (is_same) return;
  }
  set_condition(status, std::move(condition), now);
}

void write_status(Operations& operations, const kube::Object& deployment, const Rollout& rollout) {
  const Tree* tree = operations.tree(kube::deployments(), deployment.key());
  if (tree == nullptr) return;
  auto status = status_of(*tree);
  std::int64_t replicas = counted(operations, rollout.current, "replicas");
  std::int64_t ready = counted(operations, rollout.current, "readyReplicas");
  std::int64_t available = counted(operations, rollout.current, "availableReplicas");
  auto terminating = counted(operations, rollout.current, "terminatingReplicas");
  auto updated = replicas;
  for (const auto& key : rollout.old) {
    terminating += counted(operations, key, "terminatingReplicas");
    replicas += counted(operations, key, "replicas");
    ready += counted(operations, key, "readyReplicas");
    available += counted(operations, key, "availableReplicas");
  }
  status["observedGeneration"] = tree->integer_at({"metadata", "generation"});
  set_count(status, "replicas", replicas);
  set_count(status, "updatedReplicas", updated);
  set_count(status, "readyReplicas", ready);
  set_count(status, "availableReplicas", available);
  set_count(status, "unavailableReplicas", std::max<std::int64_t>(0, std::max(rollout.wanted, replicas) - available));
  status["terminatingReplicas"] = terminating;
  const bool is_available = available >= rollout.wanted - rollout.unavailable;
  const bool is_complete = updated == rollout.wanted && replicas == updated && available == replicas;
  auto now = operations.world.time_text();
  const std::string availability = is_available ? "has" : "does not have";
  set_timed_condition(
      status,
      new_condition("Available", is_available, is_available ? "MinimumReplicasAvailable" : "MinimumReplicasUnavailable",
                    "Deployment " + availability + " minimum availability."),
      now);
  set_timed_condition(status,
                      new_condition("Progressing", true, is_complete ? "NewReplicaSetAvailable" : "ReplicaSetUpdated",
                                    "ReplicaSet \"" + rollout.current.name +
                                        (is_complete ? "\" has successfully progressed." : "\" is progressing.")),
                      now);
  operations.write_status(kube::deployments(), deployment.key(), std::move(status));
}

}  // namespace

Again sync_deployment(Operations& operations, const kube::Object& deployment) {
  const Tree* tree = operations.tree(kube::deployments(), deployment.key());
  if (tree == nullptr || deployment.deleting()) return std::nullopt;
  auto as_it_is = *tree;
  auto rollout = rollout_of(operations, deployment, as_it_is);
  make_current(operations, deployment, as_it_is, rollout);
  // A paused Deployment scales, but does not roll out.
  if (!rollout.is_paused) {
    roll(operations, deployment, rollout);
    clean_up(operations, as_it_is, rollout);
  } else if (rollout.old.empty()) {
    scale(operations, deployment, rollout, rollout.current, rollout.wanted);
  }
  write_status(operations, deployment, rollout);
  return std::nullopt;
}

}  // namespace keelson::sandbox
