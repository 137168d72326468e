// The last step of every write: what the server itself has to say in an object, then validation and storage.
#pragma once

#include <optional>

#include "src/sandbox/call.hpp"
#include "src/sandbox/world.hpp"

namespace keelson::sandbox {

// The subresource by which a pod gets its node: that is no change of the specification.
inline constexpr const char* kBinding = "binding";

class Committer {
 public:
  explicit Committer(World& world) : world_(world) {}

  // Stores `next` in the place of `live` (null: new). Without `managers` what changed belongs to the caller. Nothing
  // is written when nothing changed; what was only waiting for its last finalizer goes.
  [[nodiscard]] Outcome commit(const Call& call, const Store::Entry* live, Tree next, std::optional<Managers> managers);

  [[nodiscard]] Manager manager_of(const Call& call, bool applies) const;

 private:
  void write_own_metadata(const Call& call, const Store::Entry* live, Tree& next) const;
  // False while a webhook has to be asked.
  [[nodiscard]] bool convert_to_storage(const Call& call, Tree& next) const;
  [[nodiscard]] Managers owners_after(const Call& call, const Store::Entry* live, const Tree& next) const;
  // What webhooks make of it, and whether they admit it; false while they have to be asked.
  [[nodiscard]] bool mutate(const Call& call, const Store::Entry* live, Tree& next, const Managers& managers) const;
  [[nodiscard]] bool is_admitted(const Call& call, const Store::Entry* live, const Tree& next,
                                 const Managers& managers) const;

  World& world_;
};

// Deletion was asked for, and nothing holds it up any more.
[[nodiscard]] bool is_finished(const Tree& object);

}  // namespace keelson::sandbox
