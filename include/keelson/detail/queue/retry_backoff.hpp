// The backoff after errors: how long a failing key waits until it is reconciled again.
//
// These are the defaults of all controllers. Definition::backoff() replaces them for a controller, and
// WorkQueue::add_rate_limited() applies them. Pages in docs/ quote them as "5 ms" and "1000 s" or "17 minutes".
#pragma once

#include <chrono>

#include "keelson/async/clock.hpp"

namespace keelson::queue {

// `base`, doubled with each failure since the last success, up to `cap`. The defaults are those of client-go's
// DefaultTypedControllerRateLimiter: 5 ms to 1000 s (17 minutes).
struct RetryBackoff {
  async::Duration base = std::chrono::milliseconds(5);
  async::Duration cap = std::chrono::seconds(1000);

  // The delay after this number of earlier failures, from 0 on.
  [[nodiscard]] async::Duration delay(int failures) const;
};

}  // namespace keelson::queue
