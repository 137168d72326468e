// The last step of every write: what the server itself has to say in an object, then validation and storage.
#pragma once

#include <optional>

#include "src/sandbox/call.hpp"
#include "src/sandbox/world.hpp"

namespace keelson::sandbox {

class Committer {
 public:
  explicit Committer(World& world) : world_(world) {}

  // Stores `next` in the place of `live` (null: new). Without `managers` what changed belongs to the caller. Nothing
  // is written when nothing changed; what was only waiting for its last finalizer goes.
  [[nodiscard]] Outcome commit(const Call& call, const Store::Entry* live, Tree next, std::optional<Managers> managers);

  [[nodiscard]] Manager manager_of(const Call& call, bool applies) const;

 private:
  void write_own_metadata(const Call& call, const Store::Entry* live, Tree& next) const;

  World& world_;
};

// Deletion was asked for, and nothing holds it up any more.
[[nodiscard]] bool is_finished(const Tree& object);

}  // namespace keelson::sandbox
