// WorkQueue: the rate-limited, delaying, de-duplicating queue of a controller's keys.
//
// It behaves like controller-runtime's priority queue: sources add keys, and workers
// get them, reconcile the objects, and call done().
//
// - A key that is added several times is one item, with the highest priority, the earliest time, and all distinct
//   reasons.
// - A key is never processed by two workers at the same time. A key that is added while it is processed is queued again
//   after done().
// - Higher priorities come first, but every tenth item is the oldest one with a lower priority, so that neither a
//   resync nor fresh events starve.
//
// Ownership: the controller owns the queue, which must outlive its workers. Threads: all calls happen on the loop.
// Cancellation: only get() waits; a canceled worker unwinds there and takes no item. An item that a worker has got
// needs its done() in any case, so that the key can be processed again.
//
// Example (test/examples/queue.cpp#work_queue):
//   // A worker. Spawn several into a TaskGroup; shut_down() ends them.
//   boost::asio::awaitable<void> run_worker(queue::WorkQueue& queue, Work work) {
//     for (;;) {
//       auto item = co_await queue.get();
//       if (!item) co_return;
//       auto succeeded = co_await work(item->key);
//       if (succeeded) {
//         queue.forget(item->key);
//       } else {
//         queue.add_rate_limited(item->key, {.priority = item->priority, .reason = "retry after error"});
//       }
//       queue.done(item->key);
//     }
//   }
#pragma once

#include <boost/asio/awaitable.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/detail/queue/retry_backoff.hpp"
#include "keelson/metrics/registry.hpp"

namespace keelson::queue {

// controller-runtime's handler.LowPriority, for the objects of the initial list and of resyncs. The default is 0.
inline constexpr int kLowPriority = -100;

struct AddOptions {
  int priority = 0;
  // The reason for the log: "Memcached added", "Deployment updated", "requeue after 5s". It may be empty.
  std::string reason;
};

// A key to process. It is in progress until done().
struct Item {
  std::string key;
  int priority = 0;
  std::vector<std::string> reasons;  // distinct, at most 4
  async::Duration waited{0};         // from the add, or the end of the delay, until get() returned it
};

// What the queue knows of a key, for pages that explain it.
struct KeyState {
  // kHeldBack: it was added while it is in progress.
  enum class Place { kNotQueued, kWaiting, kReady, kHeldBack };
  Place place = Place::kNotQueued;
  async::TimePoint since;  // kWaiting: the end of its delay; kReady and kHeldBack: when it became ready
  int priority = 0;
  int retries = 0;                              // as of retries()
  std::optional<async::TimePoint> in_progress;  // since when a worker has it
};

// The state of a queue at one moment, for pages that people read.
struct QueueSnapshot {
  struct KeyTime {
    std::string key;
    async::Duration time{0};
  };
  std::size_t ready = 0;          // keys that a worker could take now
  std::size_t waiting = 0;        // keys that wait for their delay
  std::size_t failing = 0;        // keys with errors since their last success
  std::size_t in_progress = 0;    // keys of the workers
  std::optional<KeyTime> oldest;  // the ready key that waits longest, and for how long; nullopt if none is ready
  std::optional<KeyTime> next;    // the waiting key that is due next, and in how long
  std::vector<KeyTime> running;   // the keys that run longest, at most 5, the longest first
};

class WorkQueue {
 public:
  // `name` is the label of the workqueue_* metrics. `clock` and `registry` must outlive the queue.
  WorkQueue(async::Clock& clock, metrics::Registry& registry, std::string name, RetryBackoff backoff = {});
  WorkQueue(const WorkQueue&) = delete;
  WorkQueue& operator=(const WorkQueue&) = delete;
  ~WorkQueue();

  // Queues the key immediately, even if it already waits for a delay.
  void add(std::string_view key, const AddOptions& options);
  // Queues the key after `delay`; immediately if the delay is not positive. If the key is queued already, the earlier
  // time counts.
  void add_after(std::string_view key, async::Duration delay, const AddOptions& options);
  // Queues the key after its backoff (retry_backoff.hpp), by the number of calls since the key's last forget().
  // `at_least` is a minimum, for Retry-After.
  void add_rate_limited(std::string_view key, const AddOptions& options, async::Duration at_least = {});
  // Resets the backoff of the key: call it after a success. It does not remove the key from the queue.
  void forget(const std::string& key);
  // The number of add_rate_limited() since the last forget().
  [[nodiscard]] int retries(const std::string& key) const;

  [[nodiscard]] KeyState state_of(std::string_view key) const;

  // Waits for the next key; nullopt after shut_down(). Each item needs a done(). Terminal cancellation ends the wait:
  // the worker unwinds.
  [[nodiscard]] boost::asio::awaitable<std::optional<Item>> get();
  // The worker has finished the key (asserted to be in progress). If it was added meanwhile, it is ready now.
  void done(const std::string& key);

  // Drops all queued keys, ignores further adds, and makes get() return nullopt, even to workers that already wait.
  // Items in progress still need their done().
  void shut_down();
  // get() takes a key only while `may_take` returns true, which it asks before each key; otherwise it waits for wake().
  // Without a function every worker takes keys. Call it before the first get(). The function must not wait.
  void admit_by(std::function<bool()> may_take);
  // Wakes as many workers as there are ready keys, at most `workers`: the function may admit them now.
  void wake(int workers);
  // From pause() to resume(), get() returns no key, also to workers that wait already. Keys are added, merged and
  // delayed as usual, and items in progress are not affected.
  void pause();
  void resume();
  [[nodiscard]] bool is_paused() const;
  [[nodiscard]] std::size_t ready() const;        // keys that get() could return now, if it may take them
  [[nodiscard]] std::size_t in_progress() const;  // keys that workers have got and are not done with
  [[nodiscard]] std::size_t waiting() const;      // keys that wait for their delay
  // Takes the same time whatever the number of keys is.
  [[nodiscard]] QueueSnapshot snapshot() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace keelson::queue
