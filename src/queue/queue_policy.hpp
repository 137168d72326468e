// QueuePolicy: the decisions of the work queue, without a clock and without waiting: a plain class, tested as a table.
// The default backoff is in keelson/detail/queue/retry_backoff.hpp.
//
// A key is in at most one place (waiting for its delay, ready, or held back because it is in progress), and has a
// single entry. An entry exists while its key is queued, in progress, or has failures.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/detail/queue/work_queue.hpp"
#include "src/queue/entry_table.hpp"
#include "src/queue/reason_sets.hpp"

namespace keelson::limits {

// Keys in progress that a snapshot names: those that run longest.
inline constexpr std::size_t kSnapshotKeys = 5;

// Priorities that have their own series of workqueue_depth, as in controller-runtime.
inline constexpr std::size_t kPriorityLabels = 25;

}  // namespace keelson::limits

namespace keelson::queue {

class QueuePolicy {
 public:
  explicit QueuePolicy(RetryBackoff backoff) : backoff_(backoff) {}
  QueuePolicy(const QueuePolicy&) = delete;
  QueuePolicy& operator=(const QueuePolicy&) = delete;

  // The key gets the higher priority and the earlier time of the queued and the added one. True if pick() can return
  // one more key now.
  bool add(std::string_view key, const AddOptions& options, async::TimePoint now);
  bool add_at(std::string_view key, const AddOptions& options, async::TimePoint ready_at);

  // Counts a failure of the key, and returns the delay until its retry.
  [[nodiscard]] async::Duration next_delay(std::string_view key);
  void forget(std::string_view key);
  [[nodiscard]] int retries(std::string_view key) const;

  [[nodiscard]] KeyState state_of(std::string_view key) const;

  // Makes at most `limit` keys ready whose delay is over. Returns the number of those that can be picked now.
  std::size_t release_due(async::TimePoint now, std::size_t limit);
  [[nodiscard]] std::optional<async::TimePoint> next_due() const;

  // The oldest key of the highest priority; every tenth time the oldest key of the lower priorities, if there are any.
  [[nodiscard]] std::optional<Item> pick(async::TimePoint now);

  struct Done {
    async::Duration worked{0};
    bool available = false;  // the key was added meanwhile, so pick() can return it now
  };
  Done done(std::string_view key, async::TimePoint now);

  // Drops all queued keys; keys in progress stay known.
  void drop_queued();

  [[nodiscard]] std::size_t ready() const { return ready_; }
  [[nodiscard]] std::size_t waiting() const { return heap_.size(); }
  [[nodiscard]] std::size_t in_progress() const { return working_.size(); }
  [[nodiscard]] std::size_t keys() const { return entries_.size(); }

  // For metrics: ready keys by priority, with those that are held back. Earlier priorities remain with 0.
  [[nodiscard]] const std::map<int, std::size_t>& depths() const { return depths_; }
  [[nodiscard]] std::uint64_t total_adds() const { return total_adds_; }
  struct Work {
    async::Duration unfinished{0};  // the sum over all keys in progress
    async::Duration longest{0};
  };
  [[nodiscard]] Work work(async::TimePoint now) const;
  [[nodiscard]] QueueSnapshot snapshot(async::TimePoint now) const;

 private:
  struct Class {
    Entry* first = nullptr;
    Entry* last = nullptr;
  };
  using Classes = std::map<int, Class, std::greater<>>;
  struct Working {
    Entry* entry = nullptr;
    async::TimePoint started;
  };

  void merge(Entry& entry, const AddOptions& options);
  bool make_ready(Entry& entry, async::TimePoint since);
  void count_depth(int priority, int change);
  void link(Entry& entry);
  void unlink(Entry& entry);
  void drop_if_idle(Entry& entry);
  Entry& choose();

  void heap_push(Entry& entry);
  void heap_remove(Entry& entry);
  void heap_up(std::size_t index);
  void heap_down(std::size_t index);
  void heap_place(std::size_t index, Entry* entry);

  RetryBackoff backoff_;
  EntryTable entries_;
  ReasonSets reasons_;
  Classes classes_;           // only classes with a key to pick
  std::vector<Entry*> heap_;  // waiting keys, the earliest on top
  std::vector<Working> working_;
  std::map<int, std::size_t> depths_;
  std::size_t ready_ = 0;
  std::size_t failing_ = 0;
  std::uint64_t total_adds_ = 0;
  int passed_over_ = 0;  // picks since the last one from a lower class
};

}  // namespace keelson::queue
