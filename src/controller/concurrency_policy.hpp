// Decides how many objects all controllers together may reconcile at once while the API server is overloaded. No I/O.
//
// Additive increase, multiplicative decrease, as TCP does: a sign of overload reduces the limit to half of the objects
// that are being reconciled, at most once per second, and the limit rises by a twentieth of all workers in each second
// without one. After the worst case it is back to all workers in 20 s.
//
// The signs of overload:
// - 429: the server rejects requests (API priority and fairness).
// - 5xx with Retry-After: the server or a load balancer shuts down, or cannot take more.
// - Latency: a kind of request takes longer than usual (request_latency.hpp). A webhook or the network may be the
// cause,
//   which fewer requests do not help, so that this sign alone leaves half of the workers.
#pragma once

#include <optional>

#include "keelson/async/clock.hpp"
#include "keelson/detail/kube/rest_client.hpp"
#include "src/controller/request_latency.hpp"

namespace keelson::controller {

enum class Overload { kThrottled, kUnavailable, kLatency };

class ConcurrencyPolicy {
 public:
  // `workers` of all controllers together, at least 1.
  explicit ConcurrencyPolicy(int workers) : workers_(workers), limit_(workers) {}

  // The sign of overload in the answer, if there is one.
  [[nodiscard]] std::optional<Overload> sign_in(const kube::Answer& answer, async::TimePoint now);
  // True if the sign has reduced the limit. `in_use` objects are being reconciled: half of what works is halved, not an
  // unused limit.
  bool reduce(Overload sign, int in_use, async::TimePoint now);
  // Call it once a second while the limit is reduced. True if the limit is higher after it.
  bool grow(async::TimePoint now);

  [[nodiscard]] int workers() const { return workers_; }
  [[nodiscard]] int limit() const { return limit_; }
  [[nodiscard]] bool is_reduced() const { return limit_ < workers_; }

 private:
  [[nodiscard]] int half() const { return (workers_ + 1) / 2; }
  // Within the last second.
  [[nodiscard]] static bool is_recent(std::optional<async::TimePoint> time, async::TimePoint now);

  int workers_;
  int limit_;
  RequestLatency latency_;
  std::optional<async::TimePoint> last_rejection_;
  std::optional<async::TimePoint> last_slow_answer_;
  std::optional<async::TimePoint> last_reduction_;
};

}  // namespace keelson::controller
