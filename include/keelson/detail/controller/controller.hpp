// A running controller: its work queue, its workers, and the reconciler that the workers call.
//
// The program creates it from a Definition (definition.hpp), and the manager starts it when the replica has become the
// leader, or at once with without_leader_election(). Authors of operators do not need this header.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/controller/definition.hpp"
#include "keelson/detail/async/runnable.hpp"
#include "keelson/detail/controller/controller_pause.hpp"
#include "keelson/detail/controller/limits.hpp"
#include "keelson/detail/queue/work_queue.hpp"

namespace keelson::controller {

struct ControllerOptions {
  // The number of workers, which is at least 1. Definition::max_concurrent_reconciles takes precedence.
  int max_concurrent_reconciles = limits::kDefaultConcurrentReconciles;
};

// A key whose last reconcile was slow.
struct SlowKey {
  std::string key;
  async::Duration lasted{0};
  async::Duration ago{0};  // since that reconcile
};

// A key whose last reconcile failed.
struct FailingKey {
  std::string key;
  std::string error;  // at most 300 bytes
  int retries = 0;    // since the last success
  async::Duration ago{0};
};

// A key that is reconciled again and again, although nothing fails: a mistake of the reconciler.
struct BusyKey {
  std::string key;
  std::uint64_t reconciles = 0;  // within the last minute, at least
  int immediate = 0;             // the last passes in a row that requested the next one without a delay
};

// The state of a controller at one moment, for pages that people read. Lists have at most limits::kNotedKeys keys.
struct ControllerStatus {
  std::string name;
  bool is_running = false;  // false: it waits for the lease
  int workers = 0;
  queue::QueueSnapshot queue = {};
  std::vector<SlowKey> slowest = {};
  std::vector<FailingKey> failing = {};
  std::vector<BusyKey> busy = {};
  std::string resource = {};                  // of its kind: "memcacheds.cache.example.com"
  std::optional<ControllerPause> pause = {};  // at run time; nullopt: it is not paused
};

class Controller : public async::Runnable {
 public:
  // Takes the same time whatever the number of objects and keys is.
  [[nodiscard]] virtual ControllerStatus status() const = 0;
};

// The constructor declares the informers in context.cache. start() returns immediately: in the background the
// controller waits until the informers have synced, logs those that do not sync within 2 minutes, and then runs its
// workers, so a kind that cannot be watched stops only this controller. stop() waits until running reconciles have
// finished; if stop() is canceled, they are canceled too. Context and definition must outlive the controller. Throws
// base::Misuse if the definition has no reconciler.
[[nodiscard]] std::unique_ptr<Controller> make_controller(boost::asio::any_io_executor executor, Context& context,
                                                          const Definition& definition, ControllerOptions options);

}  // namespace keelson::controller
