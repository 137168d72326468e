// delete and deletecollection: preconditions, finalizers, and what is left to the garbage collector.
#pragma once

#include <string>

#include "src/sandbox/call.hpp"
#include "src/sandbox/world.hpp"

namespace keelson::sandbox {

class Deletes {
 public:
  explicit Deletes(World& world) : world_(world) {}

  [[nodiscard]] Outcome remove(const Call& call);
  [[nodiscard]] Outcome remove_collection(const Call& call);

  // For the controllers: as a DELETE with this propagation policy.
  void remove_quietly(const ServedKind& kind, const kube::Key& key, const std::string& propagation);
  // The grace period of a deletion is over.
  void finish_removal(const ServedKind& kind, const kube::Key& key);

 private:
  [[nodiscard]] Outcome remove_one(const ServedKind& kind, const kube::Key& key, const Tree& options);
  [[nodiscard]] Outcome mark(const ServedKind& kind, const kube::Key& key, const Store::Entry& entry, Tree next,
                             std::int64_t grace_seconds);
  void empty_namespace(const std::string& ns);
  // The objects of a custom kind go before its definition does.
  void empty_kind(const Tree& definition);

  World& world_;
};

}  // namespace keelson::sandbox
