// A limit on how often something begins, as plain code: a burst, and then one each interval.
#pragma once

#include <algorithm>

#include "keelson/async/clock.hpp"

namespace keelson::async {

// `burst` at once, and then one each `interval`.
struct Rate {
  Duration interval;
  int burst;
};

// What has been used of a Rate, which every call is given: many buckets share one.
struct TokenBucket {
  // The whole burst may be used again from here on.
  TimePoint full_at{};

  // When the next one may begin; in the past if it may begin now.
  [[nodiscard]] TimePoint opens_at(Rate rate) const { return full_at - (rate.burst - 1) * rate.interval; }
  void take(Rate rate, TimePoint now) { full_at = std::max(full_at, now) + rate.interval; }
};

}  // namespace keelson::async
