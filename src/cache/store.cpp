#include "src/cache/store.hpp"

#include <algorithm>

#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/misuse.hpp"
#include "src/cache/generations.hpp"

namespace keelson::cache {

namespace {
constexpr std::size_t kLooksOfSweep = 64;

// True if a list of `scope` includes the namespace; an empty scope is all namespaces.
bool is_in(std::string_view scope, std::string_view ns) { return scope.empty() || scope == ns; }

}  // namespace

void Store::add_index(std::string name, IndexFunction values_of) {
  KEELSON_ASSERT(table_.size() == 0);
  if (!has_index(name)) indexes_.emplace_back(std::move(name), std::move(values_of));
}

bool Store::has_index(std::string_view name) const {
  return std::ranges::any_of(indexes_, [&](const Index& index) { return index.name() == name; });
}

std::optional<kube::Object> Store::get(const kube::Key& key) const {
  const auto* slot = table_.find(key.ns, key.name);
  return slot == nullptr ? std::nullopt : std::optional(slot->object);
}

std::vector<kube::Object> Store::list(std::string_view ns) const {
  if (!ns.empty()) return table_.list(ns);
  std::vector<kube::Object> all;
  all.reserve(table_.size());
  for (const auto& slot : table_.slots()) all.push_back(slot.object);
  return all;
}

std::vector<kube::Object> Store::by_index(std::string_view index, std::string_view value) const {
  auto found = std::ranges::find_if(indexes_, [&](const Index& i) { return i.name() == index; });
  if (found == indexes_.end()) {
    throw base::Misuse(
        "by_index: no index " + base::quote_go(index) + ": declare it with .indexed_by(" + base::quote_go(index) +
        ", …) for the controller's own kind, and in WatchOptions::indexes of .watches or .owns for another");
  }
  return found->find(value);
}

std::vector<Event> Store::put_listed(const kube::Object& object, std::uint32_t epoch) {
  // Version 0 means that there is none.
  auto is_older_than = [&](std::uint64_t known) {
    return object.resource_version() != 0 && object.resource_version() < known;
  };
  if (auto* deletion = own_deletion_of(object.uid())) {
    deletion->epoch = epoch;
    deletion->disputed = is_older_than(deletion->version);
    return {};
  }
  auto* slot = table_.find(object.ns(), object.name());
  if (slot != nullptr && slot->incomparable == 0) {
    slot->disputed = is_older_than(slot->object.resource_version()) ? 1 : 0;
  }
  return put_at(slot, object, epoch);
}

std::vector<Event> Store::put(const kube::Object& object, std::uint32_t epoch) {
  if (own_deletion_of(object.uid()) != nullptr) return {};
  return put_at(table_.find(object.ns(), object.name()), object, epoch);
}

std::vector<Event> Store::put_at(ObjectTable::Slot* slot, const kube::Object& object, std::uint32_t epoch) {
  std::vector<Event> events;
  if (slot != nullptr) {
    if (keeps(*slot, object, epoch)) return {};
    if (slot->object.uid() != object.uid()) events.push_back(remove(object));
  }
  std::optional<kube::Object> quiet;
  if (holds_back_generations_ && slot != nullptr && events.empty()) quiet = quiet_update(slot->object, object);
  const auto& stored = quiet ? *quiet : object;
  auto before = table_.put(stored, epoch);
  Event event;
  event.type = before ? Event::Type::kUpdated : Event::Type::kAdded;
  event.unchanged = before && before->same_content(stored);
  event.only_generations = quiet && !event.unchanged;
  for (auto& index : indexes_) {
    if (event.unchanged) {
      index.replace(*before, stored);
      continue;
    }
    if (before) index.remove(*before);
    index.add(stored);
  }
  event.before = std::move(before);
  event.after = stored;
  events.push_back(std::move(event));
  return events;
}

bool Store::keeps(ObjectTable::Slot& slot, const kube::Object& object, std::uint32_t epoch) {
  auto known = slot.object.resource_version();
  const bool is_kept = slot.incomparable != 0
                           ? object.resource_version() == known && object.json() == slot.object.json()
                           : known != 0 && object.resource_version() <= known;
  if (!is_kept) return false;
  slot.epoch = std::max<std::uint32_t>(slot.epoch, epoch);
  slot.incomparable = 0;
  return true;
}

void Store::keep(const kube::Key& key, std::string_view uid, std::uint32_t epoch) {
  if (auto* deletion = own_deletion_of(uid)) deletion->epoch = epoch;
  auto* slot = table_.find(key.ns, key.name);
  if (slot != nullptr && slot->object.uid() == uid) slot->epoch = std::max<std::uint32_t>(slot->epoch, epoch);
}

std::optional<Event> Store::erase(const kube::Object& last_state) {
  std::erase_if(own_deletions_, [&](const OwnDeletion& deletion) { return deletion.uid == last_state.uid(); });
  const auto* slot = table_.find(last_state.ns(), last_state.name());
  if (slot == nullptr) return std::nullopt;
  // A late event: the name belongs to a newer object, or an own write has made the selectors match again.
  const bool is_late = slot->object.resource_version() > last_state.resource_version();
  if (is_late && slot->incomparable == 0) return std::nullopt;
  return remove(last_state);
}

std::optional<Event> Store::erase_own(const kube::Key& key, std::string_view uid) {
  const auto* slot = table_.find(key.ns, key.name);
  if (uid.empty() || slot == nullptr || slot->object.uid() != uid) return std::nullopt;
  if (own_deletions_.size() == limits::kOwnDeletions) own_deletions_.pop_front();
  own_deletions_.push_back({std::string(uid), key.ns, slot->object.resource_version()});
  return remove(kube::Object(slot->object));
}

Store::Sweep Store::begin_sweep(std::string ns, std::uint32_t epoch, std::uint64_t list_version) {
  // An own deletion that the list includes can be forgotten: no older event of the object can arrive.
  std::erase_if(own_deletions_, [&](const OwnDeletion& deletion) {
    return is_in(ns, deletion.ns) && deletion.epoch != epoch && deletion.version <= list_version;
  });
  return {std::move(ns), epoch, list_version, table_.size()};
}

// The sweep runs backwards: the last object, which has been examined, moves to the position of an erased one. Objects
// that are added in between are behind the current position and newer than the list.
std::optional<Event> Store::sweep_some(Sweep& sweep) {
  const auto& slots = table_.slots();
  sweep.left = std::min(sweep.left, slots.size());
  for (std::size_t looks = 0; looks < kLooksOfSweep && sweep.left > 0; ++looks) {
    const auto& slot = slots[--sweep.left];
    if (slot.epoch == sweep.epoch || !is_in(sweep.ns, slot.object.ns())) continue;
    const bool is_newer = slot.incomparable == 0 && slot.object.resource_version() > sweep.list_version;
    if (!is_newer) return remove(kube::Object(slot.object));
  }
  return std::nullopt;
}

bool Store::is_contradicted(std::string_view ns, std::uint32_t epoch, std::uint64_t list_version) const {
  auto contradicts = [&](const ObjectTable::Slot& slot) {
    return slot.disputed != 0 && slot.epoch == epoch && slot.object.resource_version() <= list_version &&
           is_in(ns, slot.object.ns());
  };
  auto contradicts_deletion = [&](const OwnDeletion& deletion) {
    return deletion.disputed && deletion.epoch == epoch && deletion.version <= list_version && is_in(ns, deletion.ns);
  };
  return std::ranges::any_of(table_.slots(), contradicts) || std::ranges::any_of(own_deletions_, contradicts_deletion);
}

void Store::distrust(std::string_view ns) {
  for (auto& slot : table_.slots()) {
    if (!is_in(ns, slot.object.ns())) continue;
    slot.incomparable = 1;
    slot.disputed = 0;
  }
  std::erase_if(own_deletions_, [&](const OwnDeletion& deletion) { return is_in(ns, deletion.ns); });
}

Store::OwnDeletion* Store::own_deletion_of(std::string_view uid) {
  auto found = std::ranges::find_if(own_deletions_, [&](const OwnDeletion& deletion) { return deletion.uid == uid; });
  return found == own_deletions_.end() ? nullptr : &*found;
}

Event Store::remove(const kube::Object& object) {
  auto removed = table_.erase(object.ns(), object.name());
  KEELSON_ASSERT(removed.has_value());
  for (auto& index : indexes_) index.remove(*removed);
  Event event;
  event.type = Event::Type::kDeleted;
  event.before = std::move(removed);
  return event;
}

}  // namespace keelson::cache
