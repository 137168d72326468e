// What the work queue decides, without time passing and without waiting: a plain class, tested as a table.
//
// A key is in at most one place (waiting for its delay, ready, or held back because it is being worked on), and has
// one entry however often it is added. An entry lives while its key is queued, worked on, or has failures to remember.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/queue/work_queue.hpp"
#include "src/queue/entry_table.hpp"
#include "src/queue/reason_sets.hpp"

namespace keelson::queue {

class QueueSteps {
 public:
  explicit QueueSteps(RateLimit limit) : limit_(limit) {}
  QueueSteps(const QueueSteps&) = delete;
  QueueSteps& operator=(const QueueSteps&) = delete;

  // Priority becomes the higher, the time the earlier of what is queued and what is added. True when this made one
  // more key available to pick().
  bool add(std::string_view key, const AddOptions& options, async::TimePoint now);
  bool add_at(std::string_view key, const AddOptions& options, async::TimePoint ready_at);

  // Counts a failure of the key and says how long it has to stay away.
  [[nodiscard]] async::Duration next_delay(std::string_view key);
  void forget(std::string_view key);
  [[nodiscard]] int retries(std::string_view key) const;

  // Makes keys ready whose delay is over, at most `limit` of them; how many of those can be picked now.
  std::size_t release_due(async::TimePoint now, std::size_t limit);
  [[nodiscard]] std::optional<async::TimePoint> next_due() const;

  // The oldest key of the highest priority; but while lower ones are waiting, every tenth time the oldest of those.
  [[nodiscard]] std::optional<Item> pick(async::TimePoint now);

  struct Done {
    async::Duration worked{0};
    bool available = false;  // it was added meanwhile: one more to pick
  };
  Done done(std::string_view key, async::TimePoint now);

  // Drops all that is queued; what is being worked on stays known.
  void drop_queued();

  [[nodiscard]] std::size_t ready() const { return ready_; }
  [[nodiscard]] std::size_t waiting() const { return heap_.size(); }
  [[nodiscard]] std::size_t keys() const { return entries_.size(); }

  // For metrics: ready keys by priority, those held back while worked on included. Priorities seen before stay with 0.
  [[nodiscard]] const std::map<int, std::size_t>& depths() const { return depths_; }
  [[nodiscard]] std::uint64_t total_adds() const { return total_adds_; }
  struct Work {
    async::Duration unfinished{0};  // sum over all keys being worked on
    async::Duration longest{0};
  };
  [[nodiscard]] Work work(async::TimePoint now) const;

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

  RateLimit limit_;
  EntryTable entries_;
  ReasonSets reasons_;
  Classes classes_;           // only those that have a key to pick
  std::vector<Entry*> heap_;  // waiting, the earliest on top
  std::vector<Working> working_;
  std::map<int, std::size_t> depths_;
  std::size_t ready_ = 0;
  std::uint64_t total_adds_ = 0;
  int passed_over_ = 0;  // picks since a lower class had its turn
};

}  // namespace keelson::queue
