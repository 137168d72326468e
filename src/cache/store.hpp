// The newest known state of every object of an informer, from the watch and from our own writes alike.
//
// It never goes back: of two states of one object the one with the higher resourceVersion stays, whichever came
// first. That is what makes reads see our own writes although list and watch lag behind them. The one exception is a
// server that went back itself (etcd restored from a backup): a list proves it, and what is cached then gives way.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/cache/informer.hpp"
#include "src/cache/index.hpp"
#include "src/cache/object_table.hpp"

namespace keelson::cache {

class Store {
 public:
  Store();
  // Before the first put.
  void add_index(std::string name, IndexFunction values_of);
  [[nodiscard]] bool has_index(std::string_view name) const;

  [[nodiscard]] std::optional<kube::Object> get(const kube::Key& key) const;
  [[nodiscard]] std::vector<kube::Object> list(std::string_view ns) const;
  [[nodiscard]] std::vector<kube::Object> by_index(std::string_view index, std::string_view value) const;

  // What became different, if anything did: another life of a name is a deletion and an addition. `epoch` counts lists:
  // what a list does not mention is swept after it.
  [[nodiscard]] std::vector<Event> put(const kube::Object& object, std::uint32_t epoch);
  // The same for an item of a list, or a change that is streamed before the list is complete.
  [[nodiscard]] std::vector<Event> put_listed(const kube::Object& object, std::uint32_t epoch);
  // A write of ours; it is not the mention of a list.
  [[nodiscard]] std::vector<Event> put_own(const kube::Object& object) { return put(object, kNoEpoch); }
  // A list mentions this life of the object without a state that could be put.
  void keep(const kube::Key& key, std::string_view uid, std::uint32_t epoch);
  [[nodiscard]] std::optional<Event> erase(const kube::Object& last_state);
  // A deletion of ours of what is here: late news of that uid is ignored from now on.
  [[nodiscard]] std::optional<Event> erase_own(const kube::Key& key, std::string_view uid);
  // The removal of what the list of `epoch`, taken at `list_version`, did not have. What is newer than the list stays:
  // the watch after it tells. Only objects of `ns`, unless it is empty.
  struct Sweep {
    std::string ns;
    std::uint32_t epoch = 0;
    std::uint64_t list_version = 0;
    std::size_t left = 0;  // objects to look at; 0: done
  };
  [[nodiscard]] Sweep begin_sweep(std::string ns, std::uint32_t epoch, std::uint64_t list_version);
  // Removes the next one, or looks at a few that stay. Between two calls the store may change in any way.
  [[nodiscard]] std::optional<Event> sweep_some(Sweep& sweep);
  // The list of `epoch`, taken at `list_version`, has older states than those that are cached, of versions that it must
  // have seen: the server went back in time. A list that is merely behind our own writes has a lower version than they.
  [[nodiscard]] bool is_contradicted(std::string_view ns, std::uint32_t epoch, std::uint64_t list_version) const;
  // The server went back: no cached version of `ns` can be compared with what comes from now on. All objects stay until
  // the next list replaces or sweeps them, and our deletions are forgotten.
  void distrust(std::string_view ns);

  [[nodiscard]] std::size_t size() const { return table_.size(); }
  [[nodiscard]] std::size_t bytes() const { return table_.bytes(); }

 private:
  static constexpr std::uint32_t kNoEpoch = 0;
  struct OwnDeletion {
    std::string uid;
    std::string ns;
    std::uint64_t version = 0;       // of the last state
    std::uint32_t epoch = kNoEpoch;  // of the last list that has it still
    bool disputed = false;           // by that list, which has an older state
  };
  [[nodiscard]] OwnDeletion* own_deletion_of(std::string_view uid);
  [[nodiscard]] std::vector<Event> put_at(ObjectTable::Slot* slot, const kube::Object& object, std::uint32_t epoch);
  // Keeps what is there against a state that is not newer, or the same; true if it did.
  [[nodiscard]] bool keeps(ObjectTable::Slot& slot, const kube::Object& object, std::uint32_t epoch);
  Event remove(const kube::Object& object);

  ObjectTable table_;
  std::vector<Index> indexes_;
  std::deque<OwnDeletion> own_deletions_;  // oldest first, at most limits::kOwnDeletions
};

}  // namespace keelson::cache
