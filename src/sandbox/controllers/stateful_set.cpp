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

class StatefulSetSync : public Sync {
 public:
  explicit StatefulSetSync(const Sync& sync) : Sync(sync) {}

  Again run() {
    claim(kube::pods(), [this, is_selected = by_selector()](const StoredObject& pod) {
      return is_selected(pod) && ordinal_of(pod.object.name(), object.name()) >= 0;
    });
    const RevisionOwner owner{*this, kRevisionHashLabel};
    adopt_revisions(owner);
    const auto revisions = revisions_of(owner);
    update_ = update_revision(owner, revisions);
    const auto current = tree.text_at({"status", "currentRevision"});
    const auto known = std::ranges::find(revisions, current, &Revision::name);
    current_ = known == revisions.end() ? update_ : *known;
    if (!object.deleting() && fill() && shrink()) roll();
    write_status();
    std::set<std::string> in_use{current_.name, update_.name};
    for (const auto& [ordinal, pod] : pods()) in_use.insert(pod.object.label(kRevisionLabel).value_or(""));
    truncate_revisions(owner, in_use);
    return again;
  }

 private:
  using Pods = std::map<std::int64_t, StoredObject>;

  [[nodiscard]] Pods pods() const {
    Pods found;
    for (auto& pod : owned(kube::pods())) {
      const auto ordinal = ordinal_of(pod.object.name(), object.name());
      if (ordinal >= 0) found.emplace(ordinal, std::move(pod));
    }
    return found;
  }
  [[nodiscard]] bool is_member(std::int64_t ordinal) const { return ordinal >= start_ && ordinal < start_ + replicas_; }

  // Creates and replaces pods in the order of their ordinals. False: the other steps must wait.
  bool fill() {
    const auto found = pods();
    std::size_t created = 0;
    for (auto ordinal = start_; ordinal < start_ + replicas_; ++ordinal) {
      const auto place = found.find(ordinal);
      if (place == found.end()) {
        create(ordinal);
        // Creating these pods triggers another sync.
        if (is_ordered_ || ++created == kBurst) return false;
        continue;
      }
      const auto& pod = place->second;
      if (is_done(pod.tree)) {
        if (!pod.object.deleting()) remove(pod.object);
        if (is_ordered_) return false;
      } else if (is_ordered_ && (pod.object.deleting() || !is_available(pod.tree))) {
        return false;
      } else {
        if (pod.tree.text_at({"status", "phase"}) == "Pending") create_claims(*this, ordinal);
        own_claims(*this, pod.object, ordinal, false);
        label(pod, ordinal);
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
      if (first_unavailable < 0 && (pod.object.deleting() || !is_available(pod.tree))) first_unavailable = ordinal;
    }
    for (auto entry = found.rbegin(); entry != found.rend(); ++entry) {
      const auto& [ordinal, pod] = *entry;
      own_claims(*this, pod.object, ordinal, true);
      if (!pod.object.deleting()) {
        if (is_ordered_ && !is_available(pod.tree) && ordinal != first_unavailable) return false;
        remove(pod.object);
      }
      if (is_ordered_) return false;
    }
    return true;
  }

  // Deletes one pod of a former revision; it is created again with the new revision.
  void roll() {
    if (!is_rolling_) return;
    const auto found = pods();
    for (auto ordinal = start_ + replicas_ - 1; ordinal >= start_ + partition_; --ordinal) {
      const auto place = found.find(ordinal);
      if (place == found.end()) return;
      const auto& pod = place->second;
      if (!pod.object.deleting() && pod.object.label(kRevisionLabel) != update_.name) return remove(pod.object);
      if (pod.object.deleting() || !is_available(pod.tree)) return;
    }
  }

  // A pod below the partition is created again with its current revision.
  [[nodiscard]] const Revision& revision_for(std::int64_t ordinal) const {
    const bool has_partition = tree.at({"spec", "updateStrategy", "rollingUpdate"}) != nullptr;
    const auto kept = has_partition ? partition_ : is_rolling_ ? tree.integer_at({"status", "currentReplicas"}) : 0;
    return ordinal < start_ + kept ? current_ : update_;
  }

  void create(std::int64_t ordinal) {
    const auto& revision = revision_for(ordinal);
    auto pod = pod_of(&revision.pod_template);
    const auto pod_name = name() + "-" + std::to_string(ordinal);
    pod["metadata"]["name"] = pod_name;
    auto& labels = pod["metadata"]["labels"];
    labels[kIndexLabel] = std::to_string(ordinal);
    labels[kRevisionLabel] = revision.name;
    labels[kNameLabel] = pod_name;
    pod["spec"]["hostname"] = pod_name;
    const auto service = tree.text_at({"spec", "serviceName"});
    if (!service.empty()) pod["spec"]["subdomain"] = service;
    mount_claims(pod, tree, ordinal);
    create_claims(*this, ordinal);
    if (const auto rejected = operations.create(kube::pods(), std::string(object.ns()), std::move(pod))) {
      // A pod of another owner keeps its name; its deletion triggers another sync.
      const bool exists = rejected->reason() == "AlreadyExists";
      if (!exists) reject_pod(*rejected, "Create Pod " + pod_name + " in StatefulSet " + name() + " failed error: ");
      return;
    }
    record_success("SuccessfulCreate", "Create", pod_name);
    const auto created = operations.object(kube::pods(), key_of(pod_name));
    if (created) own_claims(*this, *created, ordinal, false);
  }

  void remove(const kube::Object& pod) {
    operations.remove(kube::pods(), pod.key());
    record_success("SuccessfulDelete", "Delete", std::string(pod.name()));
  }

  void record_success(const std::string& reason, const std::string& verb, const std::string& pod) {
    record(reason, verb + " Pod " + pod + " in StatefulSet " + name() + " successful");
  }

  void label(const StoredObject& pod, std::int64_t ordinal) {
    if (pod.object.label(kNameLabel) == pod.object.name()) return;
    auto next = pod.tree;
    next["metadata"]["labels"][kNameLabel] = pod.object.name();
    next["metadata"]["labels"][kIndexLabel] = std::to_string(ordinal);
    operations.write(kube::pods(), pod.object.key(), std::move(next));
  }

  void write_status() {
    std::int64_t total = 0;
    std::int64_t ready = 0;
    std::int64_t available = 0;
    std::int64_t current = 0;
    std::int64_t updated = 0;
    for (const auto& [ordinal, pod] : pods()) {
      ++total;
      if (is_ready(pod.tree)) ++ready;
      if (is_available(pod.tree)) ++available;
      if (pod.object.deleting()) continue;
      if (pod.object.label(kRevisionLabel) == current_.name) ++current;
      if (pod.object.label(kRevisionLabel) == update_.name) ++updated;
    }
    const bool is_complete = is_rolling_ && updated == replicas_ && ready == replicas_ && total == replicas_;
    auto status = next_status();
    status["replicas"] = total;
    set_count(status, "readyReplicas", ready);
    set_count(status, "currentReplicas", is_complete ? updated : current);
    set_count(status, "updatedReplicas", updated);
    status["currentRevision"] = is_complete ? update_.name : current_.name;
    status["updateRevision"] = update_.name;
    status["collisionCount"] = 0;
    status["availableReplicas"] = available;
    Sync::write_status(std::move(status));
  }

  const std::int64_t start_ = tree.integer_at({"spec", "ordinals", "start"});
  const std::int64_t replicas_ = std::max<std::int64_t>(0, tree.integer_at({"spec", "replicas"}, 1));
  const std::int64_t partition_ =
      std::max<std::int64_t>(0, tree.integer_at({"spec", "updateStrategy", "rollingUpdate", "partition"}));
  const bool is_ordered_ = tree.text_at({"spec", "podManagementPolicy"}) != "Parallel";
  const bool is_rolling_ = tree.text_at({"spec", "updateStrategy", "type"}) != "OnDelete";
  Revision current_;
  Revision update_;
};

}  // namespace

void sync_stateful_set(Sync& sync) { sync.again = StatefulSetSync(sync).run(); }

}  // namespace keelson::sandbox
