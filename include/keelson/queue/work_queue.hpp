// The rate-limited, delaying, de-duplicating work queue of a controller.
//
// A key is never handed to two workers at once; added while it is worked on, it comes again after done().
// Priorities: higher first, but every so often a waiting lower one, so that a resync cannot be starved (and cannot
// starve). Everything is called on the loop.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/metrics/registry.hpp"

namespace keelson::queue {

// controller-runtime: handler.LowPriority, for the initial list and resyncs.
inline constexpr int kLowPriority = -100;

struct RateLimit {
  async::Duration base = std::chrono::milliseconds(5);  // client-go: DefaultTypedControllerRateLimiter
  async::Duration cap = std::chrono::seconds(1000);
};

// Why a key was queued: "Memcached added", "Deployment updated", "requeue after 5s".
struct AddOptions {
  int priority = 0;
  std::string reason;
};

struct Item {
  std::string key;
  int priority = 0;
  std::vector<std::string> reasons;  // distinct, at most limits::kReasonsPerKey
  async::Duration waited{0};         // from ready to handed out
};

class WorkQueue {
 public:
  // `name` labels the workqueue_* metrics. References must outlive the queue.
  WorkQueue(async::Clock& clock, metrics::Registry& registry, std::string name, RateLimit limit = {});
  WorkQueue(const WorkQueue&) = delete;
  WorkQueue& operator=(const WorkQueue&) = delete;
  ~WorkQueue();

  void add(std::string_view key, const AddOptions& options);
  // A second add_after only ever brings the key forward.
  void add_after(std::string_view key, async::Duration delay, const AddOptions& options);
  // After 5 ms, 10 ms, 20 ms … up to the cap, counted for each key since its last forget(); not before `at_least`.
  void add_rate_limited(std::string_view key, const AddOptions& options, async::Duration at_least = {});
  void forget(const std::string& key);
  [[nodiscard]] int retries(const std::string& key) const;

  // The next key, when there is one; nullopt once the queue is shut down. Each item needs a done().
  [[nodiscard]] boost::asio::awaitable<std::optional<Item>> get();
  void done(const std::string& key);

  // No more items are handed out; what is queued is dropped, adds are ignored.
  void shut_down();
  [[nodiscard]] std::size_t ready() const;    // could be handed out now
  [[nodiscard]] std::size_t waiting() const;  // for their delay

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace keelson::queue
