#include "src/sandbox/snapshot.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "keelson/async/time_slice.hpp"
#include "keelson/base/limits.hpp"

namespace keelson::sandbox {

namespace {

bool is_before(const kube::Object& object, const kube::Key& key) {
  return std::pair(object.ns(), object.name()) < std::pair<std::string_view, std::string_view>(key.ns, key.name);
}

// Puts what is at a key into the sorted list; nothing: there is no such object.
void set_state(std::vector<kube::Object>& objects, const kube::Key& key, const kube::Object* state) {
  auto place = std::lower_bound(objects.begin(), objects.end(), key, is_before);
  bool was_there = place != objects.end() && place->ns() == key.ns && place->name() == key.name;
  if (state != nullptr && was_there) {
    *place = *state;
  } else if (state != nullptr) {
    objects.insert(place, *state);
  } else if (was_there) {
    objects.erase(place);
  }
}

const kube::Object* selected(const std::optional<kube::Object>& object, const Selection& selection) {
  return object && selection.matches(*object) ? &*object : nullptr;
}

}  // namespace

SnapshotTaker::SnapshotTaker(const Store& store, const ServedKind& kind, Selection selection)
    : store_(store), kind_(kind.home()), selection_(std::move(selection)) {
  begin();
}

void SnapshotTaker::begin() {
  snapshot_ = {{}, store_.version()};
  next_ = kube::Key(selection_.ns(), "");
}

bool SnapshotTaker::advance(std::size_t objects) {
  const auto& entries = store_.all(kind_);
  auto entry = entries.lower_bound(next_);
  auto is_wanted = [&] {
    return entry != entries.end() && (selection_.ns().empty() || entry->first.ns == selection_.ns());
  };
  for (; is_wanted() && objects > 0; ++entry, --objects) {
    if (selection_.matches(entry->second.object)) snapshot_.objects.push_back(entry->second.object);
  }
  if (is_wanted()) {
    next_ = entry->first;
    return false;
  }
  if (add_changes()) return true;
  begin();
  return false;
}

// False if the history since the first step is not known any more.
bool SnapshotTaker::add_changes() {
  auto changes = store_.since(snapshot_.version);
  if (!changes) return false;
  for (const auto* change : *changes) {
    if (change->kind == &kind_) set_state(snapshot_.objects, change->key(), selected(change->after, selection_));
  }
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
  auto changes = store.since(version);
  if (!changes) return false;
  for (auto at = changes->rbegin(); at != changes->rend(); ++at) {
    const Change& change = **at;
    if (change.kind == &kind.home()) set_state(snapshot.objects, change.key(), selected(change.before, selection));
  }
  snapshot.version = version;
  return true;
}

}  // namespace keelson::sandbox
