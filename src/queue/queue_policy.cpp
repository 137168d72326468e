#include "src/queue/queue_policy.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "keelson/detail/base/assert.hpp"

namespace keelson::queue {

namespace {
// One pick in this many is of a lower priority: a resync takes at most 10 % of the workers' time from fresh events, and
// a flood of fresh events leaves it this share.
constexpr int kLowerClassTurn = 10;

KeyState::Place place_of(Place place) {
  switch (place) {
    case Place::kWaiting:
      return KeyState::Place::kWaiting;
    case Place::kReady:
      return KeyState::Place::kReady;
    case Place::kHeldBack:
      return KeyState::Place::kHeldBack;
    case Place::kNowhere:
      break;
  }
  return KeyState::Place::kNotQueued;
}
}  // namespace

std::optional<Item> QueuePolicy::pick(async::TimePoint now) {
  if (classes_.empty()) return std::nullopt;
  Entry& entry = choose();
  unlink(entry);
  count_depth(entry.priority, -1);
  entry.place = Place::kNowhere;
  entry.working = true;
  working_.push_back({&entry, now});
  Item item;
  item.key = entry.key();
  item.priority = entry.priority;
  item.reasons = reasons_.take(std::exchange(entry.reasons, ReasonSets::kNone));
  item.waited = std::max(now - entry.since, async::Duration(0));
  return item;
}

Entry& QueuePolicy::choose() {
  auto highest = classes_.begin();
  if (classes_.size() == 1) {
    passed_over_ = 0;
    return *highest->second.first;
  }
  if (++passed_over_ < kLowerClassTurn) return *highest->second.first;
  passed_over_ = 0;
  auto oldest = std::next(highest);
  for (auto lower = std::next(oldest); lower != classes_.end(); ++lower) {
    if (lower->second.first->since <= oldest->second.first->since) oldest = lower;
  }
  return *oldest->second.first;
}

bool QueuePolicy::add(std::string_view key, const AddOptions& options, async::TimePoint now) {
  Entry& entry = entries_.find_or_add(key);
  merge(entry, options);
  if (entry.place == Place::kReady || entry.place == Place::kHeldBack) return false;
  if (entry.place == Place::kWaiting) heap_remove(entry);
  return make_ready(entry, now);
}

bool QueuePolicy::add_at(std::string_view key, const AddOptions& options, async::TimePoint ready_at) {
  Entry& entry = entries_.find_or_add(key);
  merge(entry, options);
  if (entry.place == Place::kReady || entry.place == Place::kHeldBack) return false;
  if (entry.place == Place::kWaiting) {
    if (ready_at >= entry.since) return false;
    heap_remove(entry);
  }
  entry.since = ready_at;
  heap_push(entry);
  return false;
}

async::Duration QueuePolicy::next_delay(std::string_view key) {
  Entry& entry = entries_.find_or_add(key);
  const auto delay = backoff_.delay(entry.failures);
  if (entry.failures++ == 0) ++failing_;
  return delay;
}

void QueuePolicy::forget(std::string_view key) {
  Entry* found = entries_.find(key);
  if (found == nullptr) return;
  if (std::exchange(found->failures, 0) > 0) --failing_;
  drop_if_idle(*found);
}

int QueuePolicy::retries(std::string_view key) const {
  const Entry* found = entries_.find(key);
  return found == nullptr ? 0 : found->failures;
}

KeyState QueuePolicy::state_of(std::string_view key) const {
  const Entry* found = entries_.find(key);
  if (found == nullptr) return {};
  KeyState state;
  state.place = place_of(found->place);
  state.since = found->since;
  state.priority = found->priority;
  state.retries = found->failures;
  for (const auto& [entry, started] : working_) {
    if (entry == found) state.in_progress = started;
  }
  return state;
}

std::size_t QueuePolicy::release_due(async::TimePoint now, std::size_t limit) {
  std::size_t available = 0;
  for (std::size_t released = 0; released < limit && !heap_.empty() && heap_.front()->since <= now; ++released) {
    Entry& entry = *heap_.front();
    heap_remove(entry);
    if (make_ready(entry, now)) ++available;
  }
  return available;
}

std::optional<async::TimePoint> QueuePolicy::next_due() const {
  if (heap_.empty()) return std::nullopt;
  return heap_.front()->since;
}

QueuePolicy::Done QueuePolicy::done(std::string_view key, async::TimePoint now) {
  auto found = std::ranges::find_if(working_, [&](const auto& w) { return w.entry->key() == key; });
  KEELSON_ASSERT(found != working_.end());
  Entry& entry = *found->entry;
  Done result;
  result.worked = std::max(now - found->started, async::Duration(0));
  entry.working = false;
  working_.erase(found);
  if (entry.place == Place::kHeldBack) {
    entry.place = Place::kReady;
    link(entry);
    result.available = true;
  }
  drop_if_idle(entry);
  return result;
}

void QueuePolicy::drop_queued() {
  classes_.clear();
  heap_ = std::vector<Entry*>();
  ready_ = 0;
  for (auto& [priority, depth] : depths_) depth = 0;
  entries_.erase_queued();
  reasons_ = {};
  failing_ = 0;
  for (const auto& [entry, started] : working_) {
    entry->place = Place::kNowhere;
    entry->reasons = ReasonSets::kNone;
    if (entry->failures > 0) ++failing_;
  }
}

QueuePolicy::Work QueuePolicy::work(async::TimePoint now) const {
  Work total;
  for (const auto& [entry, started] : working_) {
    auto worked = std::max(now - started, async::Duration(0));
    total.unfinished += worked;
    total.longest = std::max(total.longest, worked);
  }
  return total;
}

// A class is ordered by time except for keys whose priority was raised, so the oldest key is the first of a class, or
// one that the first of its class will precede.
QueueSnapshot QueuePolicy::snapshot(async::TimePoint now) const {
  const auto since = [now](async::TimePoint then) { return std::max(now - then, async::Duration(0)); };
  QueueSnapshot snapshot{ready_, heap_.size(), failing_, working_.size(), {}, {}, {}};
  for (const auto& [priority, members] : classes_) {
    const auto age = since(members.first->since);
    if (snapshot.oldest && snapshot.oldest->time >= age) continue;
    snapshot.oldest = {std::string(members.first->key()), age};
  }
  if (!heap_.empty()) {
    const auto& next = *heap_.front();
    snapshot.next = {std::string(next.key()), std::max(next.since - now, async::Duration(0))};
  }
  std::array<Working, limits::kSnapshotKeys> longest;
  const auto end = std::partial_sort_copy(working_.begin(), working_.end(), longest.begin(), longest.end(),
                                          [](const Working& a, const Working& b) { return a.started < b.started; });
  for (auto at = longest.begin(); at != end; ++at) {
    snapshot.running.push_back({std::string(at->entry->key()), since(at->started)});
  }
  return snapshot;
}

void QueuePolicy::merge(Entry& entry, const AddOptions& options) {
  entry.reasons = reasons_.with(entry.reasons, options.reason);
  if (entry.place == Place::kNowhere) {
    entry.priority = options.priority;
    return;
  }
  if (options.priority <= entry.priority) return;
  if (entry.place == Place::kWaiting) {
    entry.priority = options.priority;
    return;
  }
  count_depth(entry.priority, -1);
  count_depth(options.priority, 1);
  if (entry.place == Place::kReady) unlink(entry);
  entry.priority = options.priority;
  if (entry.place == Place::kReady) link(entry);
}

bool QueuePolicy::make_ready(Entry& entry, async::TimePoint since) {
  ++total_adds_;
  count_depth(entry.priority, 1);
  entry.since = since;
  entry.place = entry.working ? Place::kHeldBack : Place::kReady;
  if (entry.working) return false;
  link(entry);
  return true;
}

void QueuePolicy::count_depth(int priority, int change) {
  auto& depth = depths_[priority];
  depth = change > 0 ? depth + 1 : depth - 1;
  if (depth == 0 && depths_.size() > limits::kPriorityLabels) depths_.erase(priority);
}

// Appends to the end of the class, even if the priority was raised, as in controller-runtime.
void QueuePolicy::link(Entry& entry) {
  Class& members = classes_[entry.priority];
  entry.previous = members.last;
  entry.next = nullptr;
  (members.last != nullptr ? members.last->next : members.first) = &entry;
  members.last = &entry;
  ++ready_;
}

void QueuePolicy::unlink(Entry& entry) {
  auto found = classes_.find(entry.priority);
  Class& members = found->second;
  (entry.previous != nullptr ? entry.previous->next : members.first) = entry.next;
  (entry.next != nullptr ? entry.next->previous : members.last) = entry.previous;
  if (members.first == nullptr) classes_.erase(found);
  --ready_;
}

void QueuePolicy::drop_if_idle(Entry& entry) {
  if (entry.place != Place::kNowhere || entry.working || entry.failures > 0) return;
  entries_.erase(entry);
}

}  // namespace keelson::queue
