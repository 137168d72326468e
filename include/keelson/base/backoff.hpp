// Exponential backoff as client-go's wait.Backoff computes it: a plain value, no clock, no waiting.
#pragma once

#include <chrono>

#include "keelson/base/random.hpp"

namespace keelson::base {

class Backoff {
 public:
  struct Policy {
    std::chrono::nanoseconds initial;
    double factor = 2.0;
    std::chrono::nanoseconds cap;
    // Sleep in [d, d * (1 + jitter)); 0 gives d exactly.
    double jitter = 0.0;
  };

  Backoff(Policy policy, Random& random) : policy_(policy), random_(random), next_(policy.initial) {}

  // The wait before the next try; each call moves one step up until the cap.
  [[nodiscard]] std::chrono::nanoseconds next();
  void reset() { next_ = policy_.initial; }

 private:
  Policy policy_;
  Random& random_;
  std::chrono::nanoseconds next_;
};

}  // namespace keelson::base
