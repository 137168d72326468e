// TokenBucket: a rate limit as a plain value, without a clock: a burst, and then one operation per interval.
//
// Example (test/examples/async.cpp#token_bucket):
//   // The time until which the caller must wait; nullopt: the operation is counted and begins now.
//   std::optional<async::TimePoint> take_token(async::TokenBucket& bucket, async::Rate rate, async::TimePoint now) {
//     if (bucket.opens_at(rate) > now) return bucket.opens_at(rate);
//     bucket.take(rate, now);
//     return std::nullopt;
//   }
#pragma once

#include <algorithm>

#include "keelson/async/clock.hpp"

namespace keelson::async {

// `burst` operations immediately, and then one per `interval`. A burst of 1 or more.
struct Rate {
  Duration interval;
  int burst;
};

// The used part of a Rate. The rate is a parameter of each call, because many buckets share one.
struct TokenBucket {
  // The time from which the whole burst is available again.
  TimePoint full_at{};

  // The time at which the next operation may begin; it is in the past if the operation may begin now.
  [[nodiscard]] TimePoint opens_at(Rate rate) const { return full_at - (rate.burst - 1) * rate.interval; }
  // Counts an operation that begins now, even if the bucket is empty.
  void take(Rate rate, TimePoint now) { full_at = std::max(full_at, now) + rate.interval; }
};

}  // namespace keelson::async
