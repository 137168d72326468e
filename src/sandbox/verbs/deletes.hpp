// delete and deletecollection: preconditions, finalizers, and the work of the garbage collector.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "src/sandbox/requests/call.hpp"
#include "src/sandbox/storage/world.hpp"

namespace keelson::sandbox {

// The preconditions of DeleteOptions: 409 if the uid or the resourceVersion differs.
[[nodiscard]] RejectionOr<void> check_preconditions(const ServedKind& kind, const kube::Object& object,
                                                    const Tree& options);

class Deletes {
 public:
  explicit Deletes(World& world) : world_(world) {}

  [[nodiscard]] RejectionOr<Answer> remove(const Call& call);
  [[nodiscard]] RejectionOr<Answer> remove_collection(const Call& call);

  // For the controllers: the effect of a DELETE with this propagation policy.
  void remove_quietly(const ServedKind& kind, const kube::Key& key, const std::string& propagation);
  // The grace period of a deletion is over.
  void finish_removal(const ServedKind& kind, const kube::Key& key);

 private:
  [[nodiscard]] RejectionOr<Answer> remove_one(const ServedKind& kind, const kube::Key& key, const Tree& options,
                                               const Call* call = nullptr);
  // The metadata of an object whose removal finalizers or a grace period delay.
  void set_deletion(const ServedKind& kind, const kube::Object& object, std::int64_t grace_seconds, Tree& next) const;
  [[nodiscard]] RejectionOr<Answer> mark(const ServedKind& kind, const kube::Key& key, const Store::Entry& entry,
                                         Tree next, std::int64_t grace_seconds);
  // Deletes the objects in a namespace, or of a custom kind; an error means that some could not be deleted.
  [[nodiscard]] RejectionOr<void> empty_namespace(const std::string& ns);
  [[nodiscard]] RejectionOr<void> empty_kind(const Tree& definition);
  [[nodiscard]] RejectionOr<void> remove_all(const ServedKind& kind, const std::vector<kube::Key>& keys);
  void stop_serving(const Tree& definition);

  World& world_;
};

}  // namespace keelson::sandbox
