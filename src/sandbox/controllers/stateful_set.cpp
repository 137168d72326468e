// The StatefulSet controller: pods with ordinals, one after another, and updates from the last to the first.
#include <algorithm>
#include <map>

#include "keelson/detail/base/parse_number.hpp"
#include "keelson/schema/identity.hpp"
#include "src/sandbox/controllers/revisions.hpp"
#include "src/sandbox/controllers/volume_claims.hpp"
#include "src/sandbox/controllers/workloads.hpp"

namespace keelson::sandbox {

namespace {

constexpr const char* kRevisionLabel = "controller-revision-hash";
constexpr const char* kRevisionHashLabel = "controller.kubernetes.io/hash";
constexpr const char* kNameLabel = "statefulset.kubernetes.io/pod-name";
constexpr const char* kIndexLabel = "apps.kubernetes.io/pod-index";

// -1 if the name is not "SET-N".
std::int64_t ordinal_of(std::string_view pod, std::string_view set) {
  if (!pod.starts_with(set) || pod.size() < set.size() + 2 || pod[set.size()] != '-') return -1;
  const auto ordinal = base::parse_number<std::uint32_t>(pod.substr(set.size() + 1));
  return ordinal ? std::int64_t{*ordinal} : -1;
}

// A sync of a StatefulSet with its pods.
class StatefulSetPass {
 public:
  StatefulSetPass(Operations& operations, const kube::Object& set, Tree tree)
      : operations_(operations),
        set_(set),
        tree_(std::move(tree)),
        start_(tree_.integer_at({"spec", "ordinals", "start"})),
        replicas_(std::max<std::int64_t>(0, tree_.integer_at({"spec", "replicas"}, 1))),
        is_ordered_(tree_.text_at({"spec", "podManagementPolicy"}) != "Parallel") {}

  Again run() {
    RevisionOwner owner{kube::stateful_sets(), set_, tree_, kRevisionHashLabel};
    auto revisions = revisions_of(operations_, owner);
    update_ = update_revision(operations_, owner, revisions);
    auto current = tree_.text_at({"status", "currentRevision"});
    auto known = std::ranges::find_if(revisions, [&current](const Revision& one) { return one.name == current; });
    current_ = known == revisions.end() ? update_ : *known;
    if (!set_.deleting() && fill() && shrink()) roll();
    write_status();
    std::set<std::string> in_use{current_.name, update_.name};
    for (const auto& [ordinal, pod] : pods()) in_use.insert(pod.label(kRevisionLabel).value_or(""));
    truncate_revisions(operations_, owner, in_use);
    return again_;
  }

 private:
  using Pods = std::map<std::int64_t, kube::Object>;

  [[nodiscard]] Pods pods() const {
    Pods found;
    for (auto& pod : operations_.owned(kube::pods(), set_)) {
      auto ordinal = ordinal_of(pod.name(), set_.name());
      if (ordinal >= 0) found.emplace(ordinal, std::move(pod));
    }
    return found;
  }
  [[nodiscard]] const Tree& tree_of(const kube::Object& pod) const {
    return *operations_.tree(kube::pods(), pod.key());
  }
  [[nodiscard]] bool is_member(std::int64_t ordinal) const { return ordinal >= start_ && ordinal < start_ + replicas_; }

  bool is_available(const kube::Object& pod) {
    auto wait = until_available(operations_.world, tree_of(pod), tree_.integer_at({"spec", "minReadySeconds"}));
    if (wait > async::Duration::zero()) again_ = earlier(again_, operations_.world.controller_clock.now() + *wait);
    return wait == async::Duration::zero();
  }

  // Creates and replaces pods in the order of their ordinals. False: the other steps must wait.
  bool fill() {
    auto found = pods();
    std::size_t created = 0;
    for (auto ordinal = start_; ordinal < start_ + replicas_; ++ordinal) {
      auto pod = found.find(ordinal);
      if (pod == found.end()) {
        create(ordinal);
        // Creating these pods triggers another sync.
        if (is_ordered_ || ++created == kBurst) return false;
      } else if (is_done(tree_of(pod->second))) {
        if (!pod->second.deleting()) remove(pod->second);
        if (is_ordered_) return false;
      } else if (is_ordered_ && (pod->second.deleting() || !is_available(pod->second))) {
        return false;
      } else {
        if (tree_of(pod->second).text_at({"status", "phase"}) == "Pending") create_claims(operations_, tree_, ordinal);
        own_claims(operations_, set_, tree_, pod->second, ordinal, false);
        label(pod->second, ordinal);
      }
    }
    return true;
  }

  // Deletes surplus pods, the last one first. False: the other steps must wait.
  bool shrink() {
    auto found = pods();
    std::erase_if(found, [this](const auto& entry) { return is_member(entry.first); });
    std::int64_t first_unavailable = -1;
    for (const auto& [ordinal, pod] : found) {
      if (first_unavailable < 0 && (pod.deleting() || !is_available(pod))) first_unavailable = ordinal;
    }
    for (auto entry = found.rbegin(); entry != found.rend(); ++entry) {
      const auto& [ordinal, pod] = *entry;
      own_claims(operations_, set_, tree_, pod, ordinal, true);
      if (!pod.deleting()) {
        if (is_ordered_ && !is_available(pod) && ordinal != first_unavailable) return false;
        remove(pod);
      }
      if (is_ordered_) return false;
    }
    return true;
  }

  // Deletes one pod of a former revision; it is created again with the new revision.
  void roll() {
    if (tree_.text_at({"spec", "updateStrategy", "type"}) == "OnDelete") return;
    auto found = pods();
    auto first = start_ + partition();
    for (auto ordinal = start_ + replicas_ - 1; ordinal >= first; --ordinal) {
      auto pod = found.find(ordinal);
      if (pod == found.end()) return;
      if (!pod->second.deleting() && pod->second.label(kRevisionLabel) != update_.name) {
        remove(pod->second);
        return;
      }
      if (pod->second.deleting() || !is_available(pod->second)) return;
    }
  }

  [[nodiscard]] std::int64_t partition() const {
    return std::max<std::int64_t>(0, tree_.integer_at({"spec", "updateStrategy", "rollingUpdate", "partition"}));
  }

  // A pod below the partition is created again with its current revision.
  [[nodiscard]] const Revision& revision_for(std::int64_t ordinal) const {
    const bool has_partition = tree_.at({"spec", "updateStrategy", "rollingUpdate"}) != nullptr;
    bool is_rolling = tree_.text_at({"spec", "updateStrategy", "type"}) != "OnDelete";
    auto kept = has_partition ? partition() : is_rolling ? tree_.integer_at({"status", "currentReplicas"}) : 0;
    return ordinal < start_ + kept ? current_ : update_;
  }

  void create(std::int64_t ordinal) {
    const auto& revision = revision_for(ordinal);
    auto pod = pod_of(&revision.pod_template, kube::stateful_sets(), set_);
    auto name = std::string(set_.name()) + "-" + std::to_string(ordinal);
    pod["metadata"]["name"] = name;
    auto& labels = pod["metadata"]["labels"];
    labels[kIndexLabel] = std::to_string(ordinal);
    labels[kRevisionLabel] = revision.name;
    labels[kNameLabel] = name;
    pod["spec"]["hostname"] = name;
    auto service = tree_.text_at({"spec", "serviceName"});
    if (!service.empty()) pod["spec"]["subdomain"] = service;
    mount_claims(pod, tree_, ordinal);
    create_claims(operations_, tree_, ordinal);
    operations_.create(kube::pods(), std::string(set_.ns()), std::move(pod));
    record("SuccessfulCreate", "Create", name);
    auto created = operations_.object(kube::pods(), kube::Key(set_.ns(), name));
    if (created) own_claims(operations_, set_, tree_, *created, ordinal, false);
  }

  void remove(const kube::Object& pod) {
    operations_.remove(kube::pods(), pod.key());
    record("SuccessfulDelete", "Delete", std::string(pod.name()));
  }

  void record(const std::string& reason, const std::string& verb, const std::string& pod) {
    auto message = verb + " Pod " + pod + " in StatefulSet " + std::string(set_.name()) + " successful";
    operations_.record(kube::stateful_sets(), set_, reason, message);
  }

  void label(const kube::Object& pod, std::int64_t ordinal) {
    if (pod.label(kNameLabel) == pod.name()) return;
    auto next = tree_of(pod);
    next["metadata"]["labels"][kNameLabel] = pod.name();
    next["metadata"]["labels"][kIndexLabel] = std::to_string(ordinal);
    operations_.write(kube::pods(), pod.key(), std::move(next));
  }

  void write_status() {
    std::int64_t total = 0;
    std::int64_t ready = 0;
    std::int64_t available = 0;
    std::int64_t current = 0;
    std::int64_t updated = 0;
    for (const auto& [ordinal, pod] : pods()) {
      ++total;
      if (is_ready(tree_of(pod))) ++ready;
      if (is_available(pod)) ++available;
      if (pod.deleting()) continue;
      if (pod.label(kRevisionLabel) == current_.name) ++current;
      if (pod.label(kRevisionLabel) == update_.name) ++updated;
    }
    bool is_rolling = tree_.text_at({"spec", "updateStrategy", "type"}) != "OnDelete";
    const bool is_complete = is_rolling && updated == replicas_ && ready == replicas_ && total == replicas_;
    const Tree& set = *operations_.tree(kube::stateful_sets(), set_.key());
    auto status = status_of(set);
    status["observedGeneration"] = set.integer_at({"metadata", "generation"});
    status["replicas"] = total;
    set_count(status, "readyReplicas", ready);
    set_count(status, "currentReplicas", is_complete ? updated : current);
    set_count(status, "updatedReplicas", updated);
    status["currentRevision"] = is_complete ? update_.name : current_.name;
    status["updateRevision"] = update_.name;
    status["collisionCount"] = 0;
    status["availableReplicas"] = available;
    operations_.write_status(kube::stateful_sets(), set_.key(), std::move(status));
  }

  Operations& operations_;
  const kube::Object& set_;
  const Tree tree_;
  const std::int64_t start_;
  const std::int64_t replicas_;
  const bool is_ordered_;
  Revision current_;
  Revision update_;
  Again again_;
};

}  // namespace

Again sync_stateful_set(Operations& operations, const kube::Object& set) {
  const Tree* tree = operations.tree(kube::stateful_sets(), set.key());
  return tree == nullptr ? std::nullopt : StatefulSetPass(operations, set, *tree).run();
}

}  // namespace keelson::sandbox
