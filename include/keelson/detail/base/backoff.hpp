// Exponential backoff, as client-go's wait.Backoff computes it: a plain value that neither reads a clock nor waits.
//
// The reflector and the reviews of room `access` wait for next() between two tries; reset() follows a success. The
// backoff of a controller's keys is in queue/retry_backoff.hpp.
#pragma once

#include <chrono>

#include "keelson/detail/base/random.hpp"

namespace keelson::base {

// Computes a sequence of delays: initial, initial * factor, initial * factor^2, …, cap, cap, …
class Backoff {
 public:
  struct Policy {
    // The first delay, before jitter.
    std::chrono::nanoseconds initial;
    // Each delay is this many times the delay before it; jitter does not compound.
    double factor = 2.0;
    // The longest delay before jitter; with jitter a delay may exceed it.
    std::chrono::nanoseconds cap;
    // A delay d becomes a random duration in [d, d * (1 + jitter)), so that clients do not retry in step. 0 gives d.
    double jitter = 0.0;
  };

  // `random` must outlive the backoff.
  Backoff(Policy policy, Random& random) : policy_(policy), random_(random), next_(policy.initial) {}

  // The delay before the next try. Each call moves one step up, until the cap.
  [[nodiscard]] std::chrono::nanoseconds next();
  // The next delay is `initial` again.
  void reset() { next_ = policy_.initial; }

 private:
  Policy policy_;
  Random& random_;
  std::chrono::nanoseconds next_;
};

}  // namespace keelson::base
