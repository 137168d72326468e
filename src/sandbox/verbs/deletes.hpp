// delete and deletecollection: preconditions, finalizers, and the work of the garbage collector.
#pragma once

#include <string>
#include <string_view>

#include "src/sandbox/requests/call.hpp"
#include "src/sandbox/storage/world.hpp"

namespace keelson::sandbox {

// The preconditions of DeleteOptions: 409 if the uid or the resourceVersion differs.
[[nodiscard]] RejectionOr<void> check_preconditions(const ServedKind& kind, const kube::Object& object,
                                                    const Tree& options);

class Plugins;

// The finalizer of a CustomResourceDefinition that is being deleted, until its objects are gone.
inline constexpr const char* kCleanupFinalizer = "customresourcecleanup.apiextensions.k8s.io";

class Deletes {
 public:
  Deletes(World& world, Plugins& plugins) : world_(world), plugins_(plugins) {}

  [[nodiscard]] RejectionOr<Answer> remove(const Call& call);
  [[nodiscard]] RejectionOr<Answer> remove_collection(const Call& call);

  // For the controllers: the effect of a DELETE with this propagation policy.
  void remove_quietly(const ServedKind& kind, const kube::Key& key, const std::string& propagation);
  // Deletes the pods in a namespace and, if none remains, the other objects; those with finalizers or a grace period
  // remain. Returns whether no pod remains.
  bool empty_namespace(const std::string& ns);
  // Whether there are objects of the kind that a CustomResourceDefinition defines.
  [[nodiscard]] bool has_objects(const Tree& definition) const;
  // Is called when the definition is deleted.
  void stop_serving(const Tree& definition);
  // The grace period of a deletion is over.
  void finish_removal(const ServedKind& kind, const kube::Key& key);

 private:
  [[nodiscard]] RejectionOr<Answer> remove_one(const ServedKind& kind, const kube::Key& key, const Tree& options,
                                               const Call* call = nullptr);
  // The metadata of an object whose removal finalizers or a grace period delay.
  void set_deletion(const ServedKind& kind, const kube::Object& object, std::int64_t grace_seconds, Tree& next) const;
  // The finalizer and the condition of a definition whose deletion has begun.
  void hold_definition(Tree& definition) const;
  // The reply to the deletion of an object that is removed at once.
  [[nodiscard]] Answer deleted_object(const ServedKind& kind, const Store::Entry& entry, Tree object) const;
  [[nodiscard]] RejectionOr<Answer> mark(const ServedKind& kind, const kube::Key& key, const Store::Entry& entry,
                                         Tree next, std::int64_t grace_seconds);
  // Deletes the objects of a custom kind; those with finalizers remain. An error means that some could not be deleted.
  [[nodiscard]] RejectionOr<void> empty_kind(const Tree& definition);
  // Those of the kind in this namespace; empty: everywhere.
  [[nodiscard]] RejectionOr<void> remove_all(const ServedKind& kind, std::string_view ns);

  World& world_;
  Plugins& plugins_;
};

}  // namespace keelson::sandbox
