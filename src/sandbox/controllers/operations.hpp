// The reads and writes of a controller in the server's process, as its user in a real cluster.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/sandbox/storage/committer.hpp"
#include "src/sandbox/storage/world.hpp"
#include "src/sandbox/verbs/deletes.hpp"

namespace keelson::sandbox {

// The number of objects that a controller creates or deletes before other controllers run: burstReplicas of
// kube-controller-manager.
inline constexpr std::size_t kBurst = 500;

class EventRecorder;
class Orphans;

// An object and its tree, which later changes of the store do not affect.
struct StoredObject {
  kube::Object object;
  Tree tree;
};

class Operations {
 public:
  // Without a recorder no Events are recorded, and without orphans nothing is adopted.
  Operations(World& world, Committer& committer, Deletes& deletes, std::string user, EventRecorder* recorder = nullptr,
             const Orphans* orphans = nullptr)
      : world(world),
        committer_(committer),
        deletes_(deletes),
        user_(std::move(user)),
        recorder_(recorder),
        orphans_(orphans) {}

  World& world;

  [[nodiscard]] const ServedKind& kind(const kube::Resource& resource) const;
  // The objects whose controller has the uid of `by`.
  [[nodiscard]] std::vector<StoredObject> owned(const kube::Resource& resource, const kube::Object& by) const;
  // The objects of a namespace that have no controller.
  [[nodiscard]] std::vector<StoredObject> without_controller(const kube::Resource& resource, std::string_view ns) const;
  [[nodiscard]] std::optional<StoredObject> stored(const ServedKind& kind, const kube::Key& key) const;
  [[nodiscard]] std::optional<kube::Object> object(const kube::Resource& resource, const kube::Key& key) const;
  [[nodiscard]] const Tree* tree(const kube::Resource& resource, const kube::Key& key) const;

  // The rejection if the object exists already or is not accepted.
  std::optional<Rejection> create(const kube::Resource& resource, const std::string& ns, Tree object);
  // The rejection if the object is not accepted; nothing is written if it does not exist.
  std::optional<Rejection> write(const kube::Resource& resource, const kube::Key& key, Tree object,
                                 Subresource subresource = Subresource::kNone);
  std::optional<Rejection> write_status(const kube::Resource& resource, const kube::Key& key, Tree status);
  // Binds a pod as the scheduler does: no field manager owns spec.nodeName, and the pod's generation does not change.
  void bind(const kube::Key& pod, const std::string& node);
  void remove(const kube::Resource& resource, const kube::Key& key);
  // Records an Event about an object; its component follows from the user.
  void record(const kube::Resource& resource, const kube::Object& object, const std::string& reason,
              const std::string& message, const std::string& type = "Normal");
  [[nodiscard]] EventRecorder* recorder() const { return recorder_; }
  void finish_removal(const kube::Resource& resource, const kube::Key& key);

 private:
  [[nodiscard]] Call call(const kube::Resource& resource, const kube::Key& key, Subresource subresource) const;

  Committer& committer_;
  Deletes& deletes_;
  std::string user_;
  EventRecorder* recorder_;
  const Orphans* orphans_;
};

// An owner reference with controller and blockOwnerDeletion.
[[nodiscard]] Tree controlled_by(const kube::Resource& resource, const kube::Object& owner);
// An ObjectReference: kind, namespace, name, uid, apiVersion and resourceVersion.
[[nodiscard]] Tree reference_to(const kube::Resource& resource, const kube::Object& object);
// An empty object if the object has no status.
[[nodiscard]] Tree status_of(const Tree& object);
[[nodiscard]] Tree new_condition(const char* type, bool is_true, const std::string& reason, const std::string& message);
// Sets a condition by its type; its lastTransitionTime changes only with its status.
void set_condition(Tree& status, Tree condition, const std::string& now);
void remove_condition(Tree& status, std::string_view type);
// Sets an integer, or removes it if it is zero, as Kubernetes' types do.
void set_count(Tree& status, const char* name, std::int64_t count);
// "25%" of `whole`, or the number; 0 if the value is absent or neither of them. The share may exceed the whole, which
// makes sense only for the maxSurge of a Deployment: other callers limit it.
[[nodiscard]] std::int64_t share_of(const Tree* value, std::int64_t whole, bool rounds_up);

}  // namespace keelson::sandbox
