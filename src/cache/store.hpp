// The newest known state of every object of an informer, from the watch and from our own writes alike.
//
// It never goes back: of two states of one object the one with the higher resourceVersion stays, whichever came
// first. That is what makes reads see our own writes although list and watch lag behind them.
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
  // A write of ours; it is not the mention of a list.
  [[nodiscard]] std::vector<Event> put_own(const kube::Object& object) { return put(object, kNoEpoch); }
  // A list mentions this life of the object without a state that could be put.
  void keep(const kube::Key& key, std::string_view uid, std::uint32_t epoch);
  [[nodiscard]] std::optional<Event> erase(const kube::Object& last_state);
  // A deletion of ours of what is here: late news of that uid is ignored from now on.
  [[nodiscard]] std::optional<Event> erase_own(const kube::Key& key, std::string_view uid);
  // Removes what the list of `epoch`, taken at `list_version`, did not have. What is newer than the list stays:
  // the watch after it tells. Only objects of `ns`, unless it is empty.
  [[nodiscard]] std::vector<Event> sweep(std::string_view ns, std::uint32_t epoch, std::uint64_t list_version);
  // Removes everything of `ns`: the server has gone back in time, so that no version of ours can be compared.
  [[nodiscard]] std::vector<Event> clear(std::string_view ns);

  [[nodiscard]] std::size_t size() const { return table_.size(); }
  [[nodiscard]] std::size_t bytes() const { return table_.bytes(); }

 private:
  static constexpr std::uint32_t kNoEpoch = 0;
  [[nodiscard]] bool was_deleted_by_us(std::string_view uid) const;
  Event remove(std::string_view ns, std::string_view name);

  ObjectTable table_;
  std::vector<Index> indexes_;
  std::deque<std::string> own_deletions_;  // uids, oldest first, at most limits::kOwnDeletions
};

}  // namespace keelson::cache
