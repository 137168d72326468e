#include "src/sandbox/storage/snapshot.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "keelson/detail/async/time_slice.hpp"
#include "keelson/detail/sandbox/limits.hpp"

namespace keelson::sandbox {

namespace {

bool is_before(const kube::Object& object, const kube::Key& key) {
  return std::pair(object.ns(), object.name()) < std::pair<std::string_view, std::string_view>(key.ns, key.name);
}

// The current object of each changed key; null if it does not exist.
using States = std::map<kube::Key, const kube::Object*>;

// Applies all changes in one pass: each insertion into a long vector would move everything behind it.
std::vector<kube::Object> with_states(std::vector<kube::Object> objects, const States& states) {
  if (states.empty()) return objects;
  std::vector<kube::Object> merged;
  merged.reserve(objects.size() + states.size());
  auto from = objects.begin();
  for (const auto& [key, state] : states) {
    auto place = std::lower_bound(from, objects.end(), key, is_before);
    std::move(from, place, std::back_inserter(merged));
    if (state != nullptr) merged.push_back(*state);
    const bool was_there = place != objects.end() && place->ns() == key.ns && place->name() == key.name;
    from = was_there ? place + 1 : place;
  }
  std::move(from, objects.end(), std::back_inserter(merged));
  return merged;
}

const kube::Object* selected(const std::optional<kube::Object>& object, const Selection& selection) {
  return object && selection.matches(*object) ? &*object : nullptr;
}

}  // namespace

void Snapshot::abandon() {
  std::vector<kube::Object>().swap(objects);
  place = History::Place();
  is_abandoned = true;
}

SnapshotTaker::SnapshotTaker(const Store& store, const ServedKind& kind, Selection selection)
    : store_(store), kind_(kind), selection_(std::move(selection)) {
  begin();
}

void SnapshotTaker::begin() {
  snapshot_ = {{}, store_.version()};
  home_ = &kind_.home();
  next_ = kube::Key(selection_.ns(), "");
}

bool SnapshotTaker::advance(std::size_t objects) {
  if (home_ != &kind_.home()) begin();
  const auto& entries = store_.all(kind_);
  auto entry = entries.lower_bound(next_);
  auto is_left = [&] {
    return entry != entries.end() && (selection_.ns().empty() || entry->first.ns == selection_.ns());
  };
  while (is_left() && objects > 0) {
    const auto& object = entry->second.object;
    if (selection_.matches(object)) snapshot_.objects.push_back(object);
    // Parsing an object takes as long as examining one object per 256 bytes of its JSON.
    constexpr std::size_t kBytesRead = 256;
    auto cost = selection_.reads_objects() ? 1 + object.json().size() / kBytesRead : 1;
    objects -= std::min(objects, cost);
    ++entry;
  }
  if (is_left()) {
    next_ = entry->first;
    return false;
  }
  if (add_changes()) return true;
  begin();
  return false;
}

// False if the store has forgotten changes since the first step.
bool SnapshotTaker::add_changes() {
  auto changes = store_.history().since(snapshot_.version);
  if (!changes) return false;
  States states;
  for (const auto* change : *changes) {
    if (change->kind == home_) states[change->key()] = selected(change->after, selection_);
  }
  snapshot_.objects = with_states(std::move(snapshot_.objects), states);
  snapshot_.version = store_.version();
  return true;
}

Snapshot take_snapshot(const Store& store, const ServedKind& kind, Selection selection) {
  SnapshotTaker taker(store, kind, std::move(selection));
  static_cast<void>(taker.advance(std::numeric_limits<std::size_t>::max()));
  return taker.take();
}

boost::asio::awaitable<Snapshot> take_snapshot_in_slices(async::Clock& clock, const Store& store,
                                                         const ServedKind& kind, Selection selection) {
  SnapshotTaker taker(store, kind, std::move(selection));
  async::TimeSlice slice(clock);
  while (!taker.advance(limits::kSandboxObjectsAtOnce)) {
    if (slice.is_over()) co_await slice.yield();
  }
  co_return taker.take();
}

bool go_back(Snapshot& snapshot, std::uint64_t version, const Store& store, const ServedKind& kind,
             const Selection& selection) {
  auto changes = store.history().since(version);
  if (!changes) return false;
  States states;
  for (const auto* change : *changes) {
    // The first change after that version holds the object as it was at that version.
    if (change->kind == &kind.home()) states.try_emplace(change->key(), selected(change->before, selection));
  }
  snapshot.objects = with_states(std::move(snapshot.objects), states);
  snapshot.version = version;
  return true;
}

}  // namespace keelson::sandbox
