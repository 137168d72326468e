// The last step of every write: the fields that the server itself sets, then validation and storage.
#pragma once

#include <optional>

#include "src/sandbox/call.hpp"
#include "src/sandbox/world.hpp"

namespace keelson::sandbox {

class Committer {
 public:
  explicit Committer(World& world) : world_(world) {}

  // Stores `next` in the place of `live` (null: a new object). Without `managers`, the caller owns the changed fields.
  // Nothing is written if nothing changed. A deleted object without finalizers is removed.
  [[nodiscard]] RejectionOr<Answer> commit(const Call& call, const Store::Entry* live, Tree next,
                                           std::optional<Managers> managers);

  [[nodiscard]] Manager manager_of(const Call& call, bool applies) const;

 private:
  void write_own_metadata(const Call& call, const Store::Entry* live, Tree& next) const;
  [[nodiscard]] RejectionOr<void> convert_to_storage(const Call& call, Tree& next) const;
  // `owners` are those before the write.
  [[nodiscard]] Managers owners_after(const Call& call, const Store::Entry* live, const Tree& next,
                                      Managers owners) const;
  // Applies the changes of mutating webhooks.
  [[nodiscard]] RejectionOr<void> mutate(const Call& call, const Store::Entry* live, Tree& next,
                                         const Managers& managers) const;
  [[nodiscard]] RejectionOr<void> ask_validating_webhooks(const Call& call, const Store::Entry* live, const Tree& next,
                                                          const Managers& managers) const;

  World& world_;
};

// The object has a deletionTimestamp, and neither finalizers nor a grace period delay its removal.
[[nodiscard]] bool is_finished(const Tree& object);

}  // namespace keelson::sandbox
