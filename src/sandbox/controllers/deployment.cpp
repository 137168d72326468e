// The Deployment controller: one ReplicaSet for each template; old ones are scaled down step by step.
#include <algorithm>

#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/parse_number.hpp"
#include "src/sandbox/controllers/pods.hpp"
#include "src/sandbox/controllers/workloads.hpp"

namespace keelson::sandbox {

namespace {

constexpr const char* kTemplateHashLabel = "pod-template-hash";
constexpr const char* kRevision = "deployment.kubernetes.io/revision";
constexpr const char* kCreationError = "ReplicaSetCreateError";
constexpr const char* kDesiredReplicas = "deployment.kubernetes.io/desired-replicas";
constexpr const char* kMaxReplicas = "deployment.kubernetes.io/max-replicas";
// Annotations of a Deployment that are not copied to its ReplicaSets.
constexpr const char* kOwnAnnotations[] = {"kubectl.kubernetes.io/last-applied-configuration",
                                           kRevision,
                                           "deployment.kubernetes.io/revision-history",
                                           kDesiredReplicas,
                                           kMaxReplicas,
                                           "deprecated.deployment.rollback.to"};

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

// Sets a condition with its last update time, which also changes without a transition.
void set_timed_condition(Tree& status, Tree condition, const std::string& now) {
  condition["lastUpdateTime"] = now;
  const Tree* former = condition_in(status, condition.text_at({"type"}));
  const bool is_same = former != nullptr && former->text_at({"status"}) == condition.text_at({"status"}) &&
                       former->text_at({"reason"}) == condition.text_at({"reason"});
  if (!is_same) set_condition(status, std::move(condition), now);
}

class DeploymentSync : public Sync {
 public:
  explicit DeploymentSync(const Sync& sync) : Sync(sync) {
    if (!recreates_) read_limits();
    find_replica_sets();
  }

  [[nodiscard]] Again run() {
    make_current();
    // A paused Deployment scales, but does not roll out.
    if (!is_paused_) {
      if (recreates_) recreate();
      if (!recreates_) roll();
      clean_up();
    } else if (old_.empty()) {
      scale(current_, wanted_);
    }
    write_status();
    return again;
  }

 private:
  void read_limits() {
    const auto rolling = tree.copy_at({"spec", "strategy", "rollingUpdate"});
    surge_ = share_of(rolling.find("maxSurge"), wanted_, true);
    unavailable_ = std::min(wanted_, share_of(rolling.find("maxUnavailable"), wanted_, false));
    if (surge_ == 0 && unavailable_ == 0) unavailable_ = 1;
  }

  void find_replica_sets() {
    const Tree* pod_template = tree.at({"spec", "template"});
    const auto all = owned(kube::replica_sets());
    current_ = free_name(pod_template != nullptr ? pod_template->text() : "null");
    for (const auto& [replica_set, own] : all) {
      if (pod_template != nullptr && has_template(own, *pod_template)) current_ = replica_set.key();
    }
    for (const auto& [replica_set, own] : all) {
      if (replica_set.key() != current_) old_.push_back(replica_set.key());
    }
    std::ranges::sort(old_, {}, [this](const kube::Key& key) {
      return std::pair(replica_set(key)->text_at({"metadata", "creationTimestamp"}), key.name);
    });
  }

  // A name of a ReplicaSet that no other object has.
  [[nodiscard]] kube::Key free_name(const std::string& template_text) {
    for (;; ++collisions_) {
      const auto count = collisions_ == 0 ? std::string() : std::to_string(collisions_);
      auto key = key_of(name() + "-" + hash_of(template_text + count));
      const auto found = operations.object(kube::replica_sets(), key);
      const auto owner = found ? found->controller_owner() : std::nullopt;
      if (!found || (owner && owner->uid == object.uid())) return key;
    }
  }

  [[nodiscard]] const Tree* replica_set(const kube::Key& key) const {
    return operations.tree(kube::replica_sets(), key);
  }
  [[nodiscard]] std::int64_t specified(const kube::Key& key) const {
    const Tree* found = replica_set(key);
    return found == nullptr ? 0 : found->integer_at({"spec", "replicas"});
  }
  [[nodiscard]] std::int64_t counted(const kube::Key& key, const char* field) const {
    const Tree* found = replica_set(key);
    return found == nullptr ? 0 : found->integer_at({"status", field});
  }
  [[nodiscard]] std::int64_t counted_of_old(const char* field) const {
    std::int64_t count = 0;
    for (const auto& key : old_) count += counted(key, field);
    return count;
  }

  void set_counts(Tree& replica_set) const {
    auto& annotations = replica_set["metadata"]["annotations"];
    annotations[kDesiredReplicas] = std::to_string(wanted_);
    annotations[kMaxReplicas] = std::to_string(wanted_ + surge_);
  }

  void scale(const kube::Key& key, std::int64_t replicas) {
    const Tree* found = replica_set(key);
    if (found == nullptr) return;
    const auto former = found->integer_at({"spec", "replicas"});
    auto next = *found;
    set_counts(next);
    next["spec"]["replicas"] = replicas;
    if (next == *found) return;
    operations.write(kube::replica_sets(), key, std::move(next));
    if (former != replicas) record_scaling(key, former, replicas);
  }

  void record_scaling(const kube::Key& key, std::int64_t from, std::int64_t to) {
    record("ScalingReplicaSet", std::string(from < to ? "Scaled up" : "Scaled down") + " replica set " + key.name +
                                    " from " + std::to_string(from) + " to " + std::to_string(to));
  }

  void set_annotations(Tree& replica_set, std::int64_t revision) const {
    auto& annotations = replica_set["metadata"]["annotations"];
    for (const auto& [annotation, value] : tree.members_at({"metadata", "annotations"})) {
      const bool is_own = std::ranges::find(kOwnAnnotations, annotation) != std::end(kOwnAnnotations);
      if (!is_own) annotations[annotation] = value;
    }
    annotations[kRevision] = std::to_string(revision);
  }

  void create_current(std::int64_t revision) {
    const auto hash = current_.name.substr(object.name().size() + 1);
    const auto replicas = old_.empty() ? wanted_ : 0;
    auto spec = Tree::object({{"replicas", replicas}});
    for (const char* field : {"minReadySeconds", "selector", "template"}) {
      if (const Tree* value = tree.at({"spec", field})) spec[field] = *value;
    }
    spec["selector"]["matchLabels"][kTemplateHashLabel] = hash;
    spec["template"]["metadata"]["labels"][kTemplateHashLabel] = hash;
    auto metadata = Tree::object({{"name", current_.name}, {"labels", spec["template"]["metadata"]["labels"]}});
    metadata["ownerReferences"] = as_owner();
    auto created = Tree::object({{"metadata", metadata}, {"spec", spec}});
    set_annotations(created, revision);
    set_counts(created);
    if (const auto rejected = operations.create(kube::replica_sets(), current_.ns, std::move(created))) {
      return reject_current(*rejected);
    }
    if (replicas != 0) record_scaling(current_, 0, replicas);
  }

  void reject_current(const Rejection& rejected) {
    creation_error_ = "Failed to create new replica set " + base::quote_go(current_.name) + ": " + rejected.message();
    record(kCreationError, creation_error_, "Warning");
    sync_after_rejection();
  }

  // The ReplicaSet of the current template gets the newest revision, even if it had an older one before.
  void make_current() {
    std::int64_t revision = 0;
    for (const auto& key : old_) revision = std::max(revision, revision_of(*replica_set(key)));
    ++revision;
    if (const Tree* found = replica_set(current_)) {
      revision = std::max(revision, revision_of(*found));
      auto next = *found;
      set_annotations(next, revision);
      operations.write(kube::replica_sets(), current_, std::move(next));
    } else if (!is_paused_) {
      create_current(revision);
    } else {
      return;
    }
    if (revision_of(tree) == revision) return;
    auto next = tree;
    next["metadata"]["annotations"][kRevision] = std::to_string(revision);
    // Through the status, so that the generation stays the same.
    operations.write(kind.resource, object.key(), std::move(next), Subresource::kStatus);
  }

  // Deletes the oldest ReplicaSets without pods beyond revisionHistoryLimit.
  void clean_up() {
    const auto limit = tree.integer_at({"spec", "revisionHistoryLimit"}, 10);
    std::vector<std::pair<std::int64_t, kube::Key>> unused;
    for (const auto& key : old_) {
      const bool is_empty = specified(key) == 0 && counted(key, "replicas") == 0;
      if (is_empty) unused.emplace_back(revision_of(*replica_set(key)), key);
    }
    const auto surplus = static_cast<std::int64_t>(old_.size()) - limit;
    std::ranges::sort(unused);
    for (std::size_t i = 0; i < unused.size() && static_cast<std::int64_t>(i) < surplus; ++i) {
      operations.remove(kube::replica_sets(), unused[i].second);
    }
  }

  void recreate() {
    const auto pods_of_old = counted_of_old("replicas");
    for (const auto& key : old_) scale(key, 0);
    if (pods_of_old == 0) scale(current_, wanted_);
  }

  // Scales the ReplicaSets so that there are never more pods than replicas + maxSurge, and never fewer available pods
  // than replicas - maxUnavailable.
  void roll() {
    const auto current = specified(current_);
    const auto room = std::max<std::int64_t>(0, wanted_ + surge_ - specified_in_total());
    scale(current_, old_.empty() ? wanted_ : std::min(wanted_, current + room));
    const auto least = wanted_ - unavailable_;
    const auto starting = specified(current_) - counted(current_, "availableReplicas");
    const auto surplus = specified_in_total() - least - starting;
    if (surplus <= 0) return;
    remove_unavailable(surplus);
    remove_pods(counted(current_, "availableReplicas") + counted_of_old("availableReplicas") - least);
  }

  // At most `most` pods of former templates that are not available: they serve no client, so they end first.
  void remove_unavailable(std::int64_t most) {
    for (const auto& key : old_) {
      const auto broken = std::max<std::int64_t>(0, specified(key) - counted(key, "availableReplicas"));
      most -= remove_pods_of(key, std::min(broken, most));
    }
  }

  // At most `most` pods of former templates, those of the oldest first.
  void remove_pods(std::int64_t most) {
    for (const auto& key : old_) most -= remove_pods_of(key, most);
  }

  std::int64_t remove_pods_of(const kube::Key& key, std::int64_t most) {
    const auto less = std::clamp<std::int64_t>(most, 0, specified(key));
    if (less > 0) scale(key, specified(key) - less);
    return less;
  }

  [[nodiscard]] std::int64_t specified_in_total() const {
    auto total = specified(current_);
    for (const auto& key : old_) total += specified(key);
    return total;
  }

  void write_status() {
    const auto updated = counted(current_, "replicas");
    const auto total = [this](const char* field) { return counted(current_, field) + counted_of_old(field); };
    const auto replicas = total("replicas");
    const auto available = total("availableReplicas");
    auto status = next_status();
    set_count(status, "replicas", replicas);
    set_count(status, "updatedReplicas", updated);
    set_count(status, "readyReplicas", total("readyReplicas"));
    set_count(status, "availableReplicas", available);
    set_count(status, "unavailableReplicas", std::max<std::int64_t>(0, specified_in_total() - available));
    status["terminatingReplicas"] = total("terminatingReplicas");
    set_count(status, "collisionCount", collisions_);
    set_conditions(status, available >= wanted_ - unavailable_,
                   updated == wanted_ && replicas == updated && available == replicas);
    Sync::write_status(std::move(status));
  }

  // The condition of the newest ReplicaSet that has it.
  void copy_failure(Tree& status, const std::string& now) const {
    constexpr const char* kFailure = "ReplicaFailure";
    const Tree* failure = nullptr;
    const auto look_at = [&](const kube::Key& key) {
      const Tree* found = replica_set(key);
      if (failure == nullptr && found != nullptr) failure = condition_of(*found, kFailure);
    };
    look_at(current_);
    for (const auto& key : old_) look_at(key);
    if (failure == nullptr) return remove_condition(status, kFailure);
    set_timed_condition(status, *failure, now);
  }

  void set_conditions(Tree& status, bool is_available, bool is_complete) const {
    const auto now = operations.world.time_text();
    const std::string availability = is_available ? "has" : "does not have";
    set_timed_condition(status,
                        new_condition("Available", is_available,
                                      is_available ? "MinimumReplicasAvailable" : "MinimumReplicasUnavailable",
                                      "Deployment " + availability + " minimum availability."),
                        now);
    copy_failure(status, now);
    if (is_paused_) {
      auto paused = new_condition("Progressing", false, "DeploymentPaused", "Deployment is paused");
      paused["status"] = "Unknown";
      return set_timed_condition(status, std::move(paused), now);
    }
    if (!creation_error_.empty()) {
      return set_timed_condition(status, new_condition("Progressing", false, kCreationError, creation_error_), now);
    }
    set_timed_condition(status,
                        new_condition("Progressing", true, is_complete ? "NewReplicaSetAvailable" : "ReplicaSetUpdated",
                                      "ReplicaSet \"" + current_.name +
                                          (is_complete ? "\" has successfully progressed." : "\" is progressing.")),
                        now);
  }

  const std::int64_t wanted_ = tree.integer_at({"spec", "replicas"}, 1);
  const bool recreates_ = tree.text_at({"spec", "strategy", "type"}) == "Recreate";
  const bool is_paused_ = tree.is_true_at({"spec", "paused"});
  std::int64_t collisions_ = tree.integer_at({"status", "collisionCount"});
  std::int64_t surge_ = 0;
  std::int64_t unavailable_ = 0;
  std::string creation_error_;  // empty: the ReplicaSet was created
  kube::Key current_;           // the ReplicaSet of the current template
  std::vector<kube::Key> old_;  // the ReplicaSets of former templates
};

}  // namespace

void sync_deployment(Sync& sync) {
  if (sync.object.deleting()) return;
  sync.claim(kube::replica_sets(), sync.by_selector());
  sync.again = DeploymentSync(sync).run();
}

}  // namespace keelson::sandbox
