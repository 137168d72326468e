#include "src/cache/store.hpp"

#include <algorithm>

#include "keelson/base/assert.hpp"
#include "keelson/base/limits.hpp"

namespace keelson::cache {

namespace {
constexpr std::string_view kNamespaceIndex = "namespace";
}

Store::Store() {
  add_index(std::string(kNamespaceIndex), [](const kube::Object& o) { return std::vector{std::string(o.ns())}; });
}

void Store::add_index(std::string name, IndexFunction values_of) {
  KEELSON_ASSERT(table_.size() == 0);
  if (!has_index(name)) indexes_.emplace_back(std::move(name), std::move(values_of));
}

bool Store::has_index(std::string_view name) const {
  return std::any_of(indexes_.begin(), indexes_.end(), [&](const Index& index) { return index.name() == name; });
}

std::optional<kube::Object> Store::get(const kube::Key& key) const {
  const auto* slot = table_.find(key.ns, key.name);
  return slot == nullptr ? std::nullopt : std::optional(slot->object);
}

std::vector<kube::Object> Store::list(std::string_view ns) const {
  if (!ns.empty()) return by_index(kNamespaceIndex, ns);
  std::vector<kube::Object> all;
  all.reserve(table_.size());
  table_.for_each([&](const kube::Object& object, std::uint32_t) { all.push_back(object); });
  return all;
}

std::vector<kube::Object> Store::by_index(std::string_view index, std::string_view value) const {
  auto found = std::find_if(indexes_.begin(), indexes_.end(), [&](const Index& i) { return i.name() == index; });
  KEELSON_ASSERT(found != indexes_.end());
  return found->find(value);
}

std::vector<Event> Store::put(const kube::Object& object, std::uint32_t epoch) {
  if (was_deleted_by_us(object.uid())) return {};
  std::vector<Event> events;
  const auto* slot = table_.find(object.ns(), object.name());
  if (slot != nullptr) {
    auto known = slot->object.resource_version();
    if (known != 0 && object.resource_version() <= known) {
      table_.mark(object.ns(), object.name(), epoch);
      return {};
    }
    if (slot->object.uid() != object.uid()) events.push_back(remove(object.ns(), object.name()));
  }
  auto before = table_.put(object, epoch);
  for (auto& index : indexes_) {
    if (before) index.remove(*before);
    index.add(object);
  }
  Event event;
  event.type = before ? Event::Type::kUpdated : Event::Type::kAdded;
  event.before = std::move(before);
  event.after = object;
  events.push_back(std::move(event));
  return events;
}

void Store::keep(const kube::Key& key, std::string_view uid, std::uint32_t epoch) {
  const auto* slot = table_.find(key.ns, key.name);
  if (slot != nullptr && slot->object.uid() == uid) table_.mark(key.ns, key.name, epoch);
}

std::optional<Event> Store::erase(const kube::Object& last_state) {
  std::erase(own_deletions_, last_state.uid());
  const auto* slot = table_.find(last_state.ns(), last_state.name());
  if (slot == nullptr) return std::nullopt;
  // Late news: the name has another life already, or a write of ours brought it back into the selection.
  if (slot->object.resource_version() > last_state.resource_version()) return std::nullopt;
  return remove(last_state.ns(), last_state.name());
}

std::optional<Event> Store::erase_own(const kube::Key& key, std::string_view uid) {
  const auto* slot = table_.find(key.ns, key.name);
  if (uid.empty() || slot == nullptr || slot->object.uid() != uid) return std::nullopt;
  if (own_deletions_.size() == limits::kOwnDeletions) own_deletions_.pop_front();
  own_deletions_.emplace_back(uid);
  return remove(key.ns, key.name);
}

std::vector<Event> Store::sweep(std::string_view ns, std::uint32_t epoch, std::uint64_t list_version) {
  std::vector<kube::Object> missing;
  table_.for_each([&](const kube::Object& object, std::uint32_t seen) {
    bool in_scope = ns.empty() || object.ns() == ns;
    if (in_scope && seen != epoch && object.resource_version() <= list_version) missing.push_back(object);
  });
  std::vector<Event> events;
  events.reserve(missing.size());
  for (const auto& object : missing) events.push_back(remove(object.ns(), object.name()));
  return events;
}

std::vector<Event> Store::clear(std::string_view ns) {
  own_deletions_.clear();
  std::vector<Event> events;
  for (const auto& object : list(ns)) events.push_back(remove(object.ns(), object.name()));
  return events;
}

bool Store::was_deleted_by_us(std::string_view uid) const {
  return std::find(own_deletions_.begin(), own_deletions_.end(), uid) != own_deletions_.end();
}

Event Store::remove(std::string_view ns, std::string_view name) {
  auto removed = table_.erase(ns, name);
  KEELSON_ASSERT(removed.has_value());
  for (auto& index : indexes_) index.remove(*removed);
  Event event;
  event.type = Event::Type::kDeleted;
  event.before = std::move(removed);
  return event;
}

}  // namespace keelson::cache
