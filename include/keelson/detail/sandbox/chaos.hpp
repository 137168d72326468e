// Injected failures: requests that fail or are delayed, and watches that break. The same seed and the same requests
// give the same failures.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "keelson/async/clock.hpp"
#include "keelson/base/result.hpp"

namespace keelson::sandbox {

// Rates are shares of the requests, from 0 to 1; their sum is at most 1. A request that fails is not executed.
struct ChaosOptions {
  std::uint64_t seed = 1;
  double conflicts = 0;             // 409 Conflict, for updates and patches only; other requests succeed instead
  double too_many_requests = 0;     // 429 with Retry-After: 1
  double internal_errors = 0;       // 500 InternalError
  async::Duration watch_life{0};    // the mean time until the connection of a watch breaks; 0: watches do not break
  async::Duration most_latency{0};  // the maximum delay before a request is executed; each gets a random part of it

  [[nodiscard]] bool is_on() const {
    return conflicts > 0 || too_many_requests > 0 || internal_errors > 0 || watch_life.count() > 0 ||
           most_latency.count() > 0;
  }
  bool operator==(const ChaosOptions&) const = default;
};

// Parses "seed=7,409=0.05,429=1%,500=0.01,drop-watches=30s,latency=50ms": any order, every part optional, an empty text
// for no chaos. Durations are Go's: drop-watches from 10ms to 24h or 0s, latency up to 30s. Errors (kInvalid) name the
// part and a valid value.
[[nodiscard]] Result<ChaosOptions> parse_chaos(std::string_view text);

}  // namespace keelson::sandbox
