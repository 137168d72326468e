// The garbage collector: deletes objects whose owners are all deleted, and continues deletions that wait for them.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>

#include "src/sandbox/controllers/pass_timer.hpp"
#include "src/sandbox/storage/committer.hpp"
#include "src/sandbox/storage/world.hpp"
#include "src/sandbox/verbs/deletes.hpp"

namespace keelson::sandbox {

class GarbageCollector {
 public:
  GarbageCollector(World& world, Committer& committer, Deletes& deletes, async::Duration delay)
      : world_(world),
        committer_(committer),
        deletes_(deletes),
        passes_(world.controller_clock, delay, [this] { collect(); }) {}
  GarbageCollector(const GarbageCollector&) = delete;
  GarbageCollector& operator=(const GarbageCollector&) = delete;

  // Checks for deleted owners after a short delay.
  void hear(const Change& change);

 private:
  struct Owners;
  [[nodiscard]] Owners owners_of(const kube::Object& object) const;
  void look_at(const Store::Place& place);
  void stop_waiting(const ServedKind& kind, const kube::Object& object);
  // The definition may serve types that objects wait for.
  void look_at_waiting(const kube::Object& definition);
  void collect();
  void go_on_deleting(const ServedKind& kind, const kube::Object& object);
  // Deletes an object whose owners are all deleted or wait for its deletion.
  void delete_without_owners(const ServedKind& kind, const kube::Object& object);
  // Removes the references to these owners.
  void release(const ServedKind& kind, const kube::Key& key, const std::set<std::string>& owner_uids);
  void unblock_owners(const ServedKind& kind, const kube::Key& key);
  void write(const ServedKind& kind, const Store::Entry& entry, Tree next);
  void remove_finalizer(const ServedKind& kind, const kube::Key& key, const char* finalizer);

  World& world_;
  Committer& committer_;
  Deletes& deletes_;
  std::set<Store::Place> to_look_at_;
  // The objects with an owner of a type that is not served ("example.com/v1 Thing"), by that type. They are looked at
  // again when its definition changes.
  std::map<std::string, std::set<Store::Place>> waiting_for_type_;
  // The uids of owners that were deleted since the last collection, and before it: their kind may be gone, too.
  std::set<std::string> deleted_;
  std::set<std::string> collected_;
  PassTimer passes_;
};

}  // namespace keelson::sandbox
