// Decides how many objects all controllers together may reconcile at once while the API server is overloaded. No I/O.
//
// Additive increase, multiplicative decrease, as TCP does: the limit is halved by a sign of overload, at most once in
// a second, and rises by a twentieth of all workers in each second without one. After the worst case it is back to all
// workers in 20 s.
//
// The signs of overload:
// - 429: the server rejects requests (API priority and fairness).
// - 5xx with Retry-After: the server or a load balancer shuts down, or cannot take more.
// - Latency: the smoothed duration of single-object requests is above a second, which Kubernetes promises for 99 % of
//   them (its scalability SLO), and three times the shortest of the last minutes. A server that is always that slow,
//   because it is far away, is not overloaded.
#pragma once

#include <optional>

#include "keelson/async/clock.hpp"
#include "keelson/kube/client.hpp"
#include "keelson/kube/rest_client.hpp"

namespace keelson::controller {

enum class Overload { kThrottled, kUnavailable, kLatency };

class ConcurrencyPolicy {
 public:
  // `workers` of all controllers together, at least 1.
  explicit ConcurrencyPolicy(int workers) : workers_(workers), limit_(workers) {}

  // The sign of overload in the answer, if there is one.
  [[nodiscard]] std::optional<Overload> sign_in(const kube::Answer& answer, async::TimePoint now);
  // True if the limit is lower after it. `in_use` objects are being reconciled: half of what works is halved, not an
  // unused limit.
  bool reduce(int in_use, async::TimePoint now);
  // Call it once a second while the limit is reduced. True if the limit is higher after it.
  bool grow(async::TimePoint now);

  [[nodiscard]] int workers() const { return workers_; }
  [[nodiscard]] int limit() const { return limit_; }
  [[nodiscard]] bool is_reduced() const { return limit_ < workers_; }

 private:
  [[nodiscard]] bool is_slow(async::Duration latency, async::TimePoint now);

  int workers_;
  int limit_;
  std::optional<async::TimePoint> last_sign_;
  std::optional<async::TimePoint> last_reduction_;
  std::optional<double> smoothed_;  // seconds
  // The shortest durations of the current and of the last window.
  double shortest_ = 0;
  double shortest_before_ = 0;
  async::TimePoint window_began_{};
};

}  // namespace keelson::controller
