#include "src/queue/queue_steps.hpp"

#include <algorithm>
#include <utility>

#include "keelson/base/assert.hpp"
#include "keelson/base/limits.hpp"

namespace keelson::queue {

namespace {
// One hand-out in so many goes to a lower class: 10 % of the workers' time is the most a resync costs fresh events,
// and a flood of fresh events leaves it that much.
constexpr int kLowerClassTurn = 10;
}  // namespace

std::optional<Item> QueueSteps::pick(async::TimePoint now) {
  if (classes_.empty()) return std::nullopt;
  Entry& entry = choose();
  unlink(entry);
  count_depth(entry.priority, -1);
  entry.place = Place::kNowhere;
  entry.working = true;
  entry.started = now;
  working_.push_back(&entry);
  Item item;
  item.key = *entry.key;
  item.priority = entry.priority;
  item.reasons = std::exchange(entry.reasons, {});
  item.waited = std::max(now - entry.since, async::Duration(0));
  return item;
}

QueueSteps::Entry& QueueSteps::choose() {
  auto highest = classes_.begin();
  if (classes_.size() == 1) {
    passed_over_ = 0;
    return *highest->second.first;
  }
  if (++passed_over_ < kLowerClassTurn) return *highest->second.first;
  passed_over_ = 0;
  auto oldest = std::next(highest);
  for (auto lower = std::next(oldest); lower != classes_.end(); ++lower) {
    if (lower->second.first->sequence < oldest->second.first->sequence) oldest = lower;
  }
  return *oldest->second.first;
}

bool QueueSteps::add(std::string key, AddOptions options, async::TimePoint now) {
  Entry& entry = entry_of(std::move(key));
  merge(entry, std::move(options));
  if (entry.place == Place::kReady || entry.place == Place::kHeldBack) return false;
  if (entry.place == Place::kWaiting) heap_remove(entry);
  return make_ready(entry, now);
}

bool QueueSteps::add_at(std::string key, AddOptions options, async::TimePoint ready_at) {
  Entry& entry = entry_of(std::move(key));
  merge(entry, std::move(options));
  if (entry.place == Place::kReady || entry.place == Place::kHeldBack) return false;
  if (entry.place == Place::kWaiting) {
    if (ready_at >= entry.since) return false;
    heap_remove(entry);
  }
  entry.since = ready_at;
  heap_push(entry);
  return false;
}

async::Duration QueueSteps::next_delay(const std::string& key) {
  Entry& entry = entry_of(key);
  auto delay = limit_.base;
  for (int doubled = 0; doubled < entry.failures && delay < limit_.cap; ++doubled) delay *= 2;
  ++entry.failures;
  return std::min(delay, limit_.cap);
}

void QueueSteps::forget(const std::string& key) {
  auto found = entries_.find(key);
  if (found == entries_.end()) return;
  found->second.failures = 0;
  drop_if_idle(found->second);
}

int QueueSteps::retries(const std::string& key) const {
  auto found = entries_.find(key);
  return found == entries_.end() ? 0 : found->second.failures;
}

std::size_t QueueSteps::release_due(async::TimePoint now, std::size_t limit) {
  std::size_t available = 0;
  for (std::size_t released = 0; released < limit && !heap_.empty() && heap_.front()->since <= now; ++released) {
    Entry& entry = *heap_.front();
    heap_remove(entry);
    if (make_ready(entry, now)) ++available;
  }
  return available;
}

std::optional<async::TimePoint> QueueSteps::next_due() const {
  if (heap_.empty()) return std::nullopt;
  return heap_.front()->since;
}

QueueSteps::Done QueueSteps::done(const std::string& key, async::TimePoint now) {
  auto found = entries_.find(key);
  KEELSON_ASSERT(found != entries_.end() && found->second.working);
  Entry& entry = found->second;
  entry.working = false;
  std::erase(working_, &entry);
  Done result;
  result.worked = std::max(now - entry.started, async::Duration(0));
  if (entry.place == Place::kHeldBack) {
    entry.place = Place::kReady;
    link(entry);
    result.available = true;
  }
  drop_if_idle(entry);
  return result;
}

void QueueSteps::drop_queued() {
  classes_.clear();
  heap_.clear();
  ready_ = 0;
  for (auto& [priority, depth] : depths_) depth = 0;
  std::erase_if(entries_, [](const auto& pair) { return !pair.second.working; });
  for (Entry* entry : working_) {
    entry->place = Place::kNowhere;
    entry->reasons.clear();
  }
}

QueueSteps::Work QueueSteps::work(async::TimePoint now) const {
  Work total;
  for (const Entry* entry : working_) {
    auto worked = std::max(now - entry->started, async::Duration(0));
    total.unfinished += worked;
    total.longest = std::max(total.longest, worked);
  }
  return total;
}

QueueSteps::Entry& QueueSteps::entry_of(std::string key) {
  auto [place, is_new] = entries_.try_emplace(std::move(key));
  if (is_new) place->second.key = &place->first;
  return place->second;
}

void QueueSteps::merge(Entry& entry, AddOptions options) {
  auto& reasons = entry.reasons;
  if (!options.reason.empty() && reasons.size() < limits::kReasonsPerKey &&
      std::find(reasons.begin(), reasons.end(), options.reason) == reasons.end()) {
    reasons.push_back(std::move(options.reason));
  }
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

bool QueueSteps::make_ready(Entry& entry, async::TimePoint since) {
  ++total_adds_;
  count_depth(entry.priority, 1);
  entry.since = since;
  entry.place = entry.working ? Place::kHeldBack : Place::kReady;
  if (entry.working) return false;
  link(entry);
  return true;
}

void QueueSteps::count_depth(int priority, int change) {
  auto& depth = depths_[priority];
  depth = change > 0 ? depth + 1 : depth - 1;
  if (depth == 0 && depths_.size() > limits::kPriorityLabels) depths_.erase(priority);
}

// To the end of its class: also where a raised priority goes, as in controller-runtime.
void QueueSteps::link(Entry& entry) {
  Class& members = classes_[entry.priority];
  entry.sequence = next_sequence_++;
  entry.previous = members.last;
  entry.next = nullptr;
  (members.last != nullptr ? members.last->next : members.first) = &entry;
  members.last = &entry;
  ++ready_;
}

void QueueSteps::unlink(Entry& entry) {
  auto found = classes_.find(entry.priority);
  Class& members = found->second;
  (entry.previous != nullptr ? entry.previous->next : members.first) = entry.next;
  (entry.next != nullptr ? entry.next->previous : members.last) = entry.previous;
  if (members.first == nullptr) classes_.erase(found);
  --ready_;
}

void QueueSteps::drop_if_idle(Entry& entry) {
  if (entry.place != Place::kNowhere || entry.working || entry.failures > 0) return;
  entries_.erase(entries_.find(*entry.key));
}

}  // namespace keelson::queue
