// The sync of one object by its controller: the object, the objects that it owns, and the writes in its name.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "src/sandbox/controllers/operations.hpp"
#include "src/sandbox/controllers/pass_timer.hpp"
#include "src/sandbox/controllers/pods.hpp"

namespace keelson::sandbox {

class Sync {
 public:
  Sync(Operations& by, const ServedKind& of, StoredObject stored)
      : operations(by), kind(of), object(std::move(stored.object)), tree(std::move(stored.tree)) {}

  Operations& operations;
  const ServedKind& kind;
  const kube::Object object;
  const Tree tree;  // the object at the beginning of the sync
  Again again;      // when to sync again even without a change

  [[nodiscard]] std::string name() const { return std::string(object.name()); }
  [[nodiscard]] kube::Key key_of(std::string_view other) const { return {object.ns(), other}; }
  [[nodiscard]] std::vector<StoredObject> owned(const kube::Resource& resource) const {
    return operations.owned(resource, object);
  }
  // Adopts the objects without a controller that `selects` accepts, and releases owned ones that it does not accept.
  void claim(const kube::Resource& resource, const std::function<bool(const StoredObject&)>& selects);
  // The references of an object that this one controls.
  [[nodiscard]] Tree as_owner() const { return controlled_by(kind.resource, object); }

  // A predicate for claim(): spec.selector accepts the object.
  [[nodiscard]] std::function<bool(const StoredObject&)> by_selector() const;

  // The former status with the generation of this sync.
  [[nodiscard]] Tree next_status() const;
  void write_status(Tree status) { operations.write_status(kind.resource, object.key(), std::move(status)); }
  void record(const std::string& reason, const std::string& message, const std::string& type = "Normal") {
    operations.record(kind.resource, object, reason, message, type);
  }

  // A pod with labels, annotations and spec of the template, and status.phase Pending; without a name.
  [[nodiscard]] Tree pod_of(const Tree* pod_template) const;
  // Creates the pod with the name "PREFIX-xxxxx". False if it is rejected: the object is synced again later.
  bool create_pod(const std::string& prefix, Tree pod);
  // Why a pod was rejected in this sync; empty if none was. Rejections in a namespace that is being deleted do not
  // count.
  [[nodiscard]] const std::string& pod_rejection() const { return pod_rejection_; }
  // Records a rejected pod with this Event.
  void reject_pod(const Rejection& rejected, const std::string& event_prefix);
  void remove_pod(const kube::Key& pod);
  // Whether the pod has been ready for minReadySeconds; otherwise the object is synced again at that time.
  bool is_available(const Tree& pod);
  void sync_again(async::TimePoint when) { again = earlier(again, when); }
  // After a rejection, whose cause may be gone by then.
  void sync_after_rejection() { sync_again(operations.world.controller_clock.now() + kRejectionRetry); }

 private:
  std::string pod_rejection_;
};

}  // namespace keelson::sandbox
