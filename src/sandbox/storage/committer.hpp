// The last step of every write: the fields that the server itself sets, then validation and storage.
#pragma once

#include <memory>
#include <optional>

#include "src/sandbox/requests/call.hpp"
#include "src/sandbox/storage/world.hpp"

namespace keelson::sandbox {

class Plugins;

class Committer {
 public:
  explicit Committer(World& world);
  Committer(const Committer&) = delete;
  Committer& operator=(const Committer&) = delete;
  ~Committer();

  // The admission plugins, which every write passes.
  [[nodiscard]] Plugins& plugins() { return *plugins_; }

  // Stores `next` in the place of `live` (null: a new object). Without `managers`, the caller owns the changed fields.
  // Nothing is written if nothing changed. A deleted object without finalizers is removed.
  [[nodiscard]] RejectionOr<Answer> commit(const Call& call, const Store::Entry* live, Tree next,
                                           std::optional<Managers> managers);

 private:
  World& world_;
  std::unique_ptr<Plugins> plugins_;
};

// The manager that owns the fields of this call.
[[nodiscard]] Manager manager_of(const World& world, const Call& call, bool applies);

// The object has a deletionTimestamp, and neither finalizers nor a grace period delay its removal.
[[nodiscard]] bool is_finished(const Tree& object);

}  // namespace keelson::sandbox
