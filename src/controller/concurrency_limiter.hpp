// Applies the common limit of all controllers while the API server is overloaded (concurrency_policy.hpp).
//
// A controller may always reconcile one object, so that none waits for another one's slow requests; the limit decides
// about the further workers of all controllers, and those that have keys share it equally. A worker that may not take a
// key leaves it in its queue, where newer events merge and priorities count. Without overload it costs a comparison per
// key.
//
// A running reconcile is never interrupted: a lower limit holds as soon as enough of them have ended.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/base/log.hpp"
#include "keelson/detail/queue/work_queue.hpp"
#include "keelson/metrics/registry.hpp"
#include "src/controller/concurrency_metrics.hpp"
#include "src/controller/concurrency_policy.hpp"

namespace keelson::controller {

class ConcurrencyLimiter {
 public:
  // `clock` and `registry` must outlive it. `workers` of all controllers together.
  ConcurrencyLimiter(async::Clock& clock, Logger log, metrics::Registry& registry, int workers);
  ConcurrencyLimiter(const ConcurrencyLimiter&) = delete;
  ConcurrencyLimiter& operator=(const ConcurrencyLimiter&) = delete;

  // The queue's `workers` take keys under the limit from now on. The queue must outlive this.
  void add(queue::WorkQueue& queue, int workers);
  // A request to the API server got this answer.
  void observe(const kube::Answer& answer);
  // A reconcile has ended, so that another worker may take a key.
  void released();

  [[nodiscard]] int limit() const { return policy_.limit(); }
  [[nodiscard]] int workers() const { return policy_.workers(); }
  [[nodiscard]] int in_use() const;

 private:
  struct Limited {
    queue::WorkQueue* queue;
    std::size_t workers;
  };

  [[nodiscard]] bool may_take(const queue::WorkQueue& queue) const;
  // Of the limit, if it were divided equally among the controllers that have keys.
  [[nodiscard]] std::size_t share_of_each() const;
  void grow_later();
  void grow();
  void wake(int permits);
  void report(Overload sign);

  async::Clock& clock_;
  Logger log_;
  ConcurrencyPolicy policy_;
  ConcurrencyMetrics metrics_;
  std::vector<Limited> queues_;
  std::unique_ptr<async::Timer> growth_;  // runs while the limit is reduced
  std::optional<async::TimePoint> reported_at_;
  bool is_reported_ = false;
};

}  // namespace keelson::controller
