// Trouble on purpose: requests that fail or are late, and watches that break, the same for the same seed and requests.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "keelson/async/clock.hpp"
#include "keelson/base/result.hpp"

namespace keelson::sandbox {

// Rates are shares of the requests, from 0 to 1, together at most 1. A request that fails is not done.
struct ChaosOptions {
  std::uint64_t seed = 1;
  double conflicts = 0;             // 409 Conflict; updates and patches only, so less of all requests
  double too_many_requests = 0;     // 429 with Retry-After: 1
  double internal_errors = 0;       // 500 InternalError
  async::Duration watch_life{0};    // how long a watch lasts until its connection breaks, on average; 0: watches stay
  async::Duration most_latency{0};  // before a request is done, each between nothing and this

  [[nodiscard]] bool is_on() const {
    return conflicts > 0 || too_many_requests > 0 || internal_errors > 0 || watch_life.count() > 0 ||
           most_latency.count() > 0;
  }
  bool operator==(const ChaosOptions&) const = default;
};

// "seed=7,409=0.05,429=1%,500=0.01,drop-watches=30s,latency=50ms" in any order, each part optional; empty: no chaos.
// kInvalid: the text says what to write instead.
[[nodiscard]] Result<ChaosOptions> parse_chaos(std::string_view text);

}  // namespace keelson::sandbox
