// The newest known state of every object of an informer, from the watch and from our own writes alike.
//
// It never goes back: of two states of an object it stores the one with the higher resourceVersion, in whatever order
// they arrive. So reads contain own writes although list and watch may be stale. The only exception is a server that
// went back itself (etcd restored from a backup): a list proves it, and its states then replace the cached ones.
//
// Decision: docs/decisions/0002-informers-store-own-writes.md
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/detail/cache/informer.hpp"
#include "src/cache/index.hpp"
#include "src/cache/object_table.hpp"

namespace keelson::limits {

// Uids of objects that this process deleted and whose DELETED event has not arrived yet.
inline constexpr std::size_t kOwnDeletions = 1024;

}  // namespace keelson::limits

namespace keelson::cache {

class Store {
 public:
  // Only before the first put.
  void add_index(std::string name, IndexFunction values_of);
  [[nodiscard]] bool has_index(std::string_view name) const;
  // As InformerOptions::generations. Only before the first put.
  void hold_back_generations() { holds_back_generations_ = true; }

  [[nodiscard]] std::optional<kube::Object> get(const kube::Key& key) const;
  [[nodiscard]] std::vector<kube::Object> list(std::string_view ns) const;
  [[nodiscard]] std::vector<kube::Object> by_index(std::string_view index, std::string_view value) const;

  // Returns the changes: none for a state that is not newer; a deletion and an addition if the name has another uid.
  // `epoch` counts lists: objects that a list does not contain are swept after it.
  [[nodiscard]] std::vector<Event> put(const kube::Object& object, std::uint32_t epoch);
  // As put(), for an item of a list, or a change that is streamed before the list is complete.
  [[nodiscard]] std::vector<Event> put_listed(const kube::Object& object, std::uint32_t epoch);
  // As put(), for an own write, which does not count as contained in a list.
  [[nodiscard]] std::vector<Event> put_own(const kube::Object& object) { return put(object, kNoEpoch); }
  // A list contains the object with this uid, but its state cannot be parsed.
  void keep(const kube::Key& key, std::string_view uid, std::uint32_t epoch);
  [[nodiscard]] std::optional<Event> erase(const kube::Object& last_state);
  // An own deletion of a cached object: late events of that uid are ignored from now on.
  [[nodiscard]] std::optional<Event> erase_own(const kube::Key& key, std::string_view uid);
  // The removal of the objects that the list of `epoch`, taken at `list_version`, did not contain. Objects that are
  // newer than the list stay, because the watch after it reports them. Only objects of `ns`, unless it is empty.
  struct Sweep {
    std::string ns;
    std::uint32_t epoch = 0;
    std::uint64_t list_version = 0;
    std::size_t left = 0;  // objects to examine; 0: done
  };
  [[nodiscard]] Sweep begin_sweep(std::string ns, std::uint32_t epoch, std::uint64_t list_version);
  // Removes the next object, or examines a few that stay. The store may change between two calls.
  [[nodiscard]] std::optional<Event> sweep_some(Sweep& sweep);
  // True if the list of `epoch`, taken at `list_version`, has older states than the cache, of versions that it must
  // include: the server went back in time. A list that is merely older than own writes has a lower version than these.
  [[nodiscard]] bool is_contradicted(std::string_view ns, std::uint32_t epoch, std::uint64_t list_version) const;
  // The server went back: cached versions of `ns` are not comparable with later ones. All objects stay until the next
  // list replaces or sweeps them, and own deletions are forgotten.
  void distrust(std::string_view ns);

  [[nodiscard]] std::size_t size() const { return table_.size(); }
  [[nodiscard]] std::size_t bytes() const { return table_.bytes(); }

 private:
  static constexpr std::uint32_t kNoEpoch = 0;
  struct OwnDeletion {
    std::string uid;
    std::string ns;
    std::uint64_t version = 0;       // of the last state
    std::uint32_t epoch = kNoEpoch;  // of the last list that still contains it
    bool disputed = false;           // that list has an older state
  };
  [[nodiscard]] OwnDeletion* own_deletion_of(std::string_view uid);
  [[nodiscard]] std::vector<Event> put_at(ObjectTable::Slot* slot, const kube::Object& object, std::uint32_t epoch);
  // True if the cached state is newer than `object` or equal to it; marks the slot as contained in `epoch`.
  [[nodiscard]] bool keeps(ObjectTable::Slot& slot, const kube::Object& object, std::uint32_t epoch);
  Event remove(const kube::Object& object);

  bool holds_back_generations_ = false;
  ObjectTable table_;
  std::vector<Index> indexes_;
  std::deque<OwnDeletion> own_deletions_;  // oldest first, at most limits::kOwnDeletions
};

}  // namespace keelson::cache
