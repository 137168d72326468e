// Decides whether and when a failed review is retried: client-go's backoff for authentication webhooks, without I/O.
#pragma once

#include <chrono>
#include <optional>

#include "keelson/async/clock.hpp"
#include "keelson/detail/base/backoff.hpp"
#include "keelson/detail/base/error.hpp"

namespace keelson::limits {

// The total time of a review, including its time in the queue and all retries.
inline constexpr std::chrono::seconds kReviewTime{10};

}  // namespace keelson::limits

namespace keelson::access {

// The maximum number of attempts for a review, as in client-go.
inline constexpr int kReviewTries = 5;

class ReviewRetries {
 public:
  explicit ReviewRetries(base::Random& random);

  // The delay before the next try; nullopt if the error is final.
  [[nodiscard]] std::optional<async::Duration> after(const Error& error);

 private:
  base::Backoff backoff_;
  int tries_left_ = kReviewTries - 1;
};

}  // namespace keelson::access
