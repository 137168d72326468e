// Whether a review that failed is worth another try, and when: client-go's backoff for such webhooks, as plain code.
#pragma once

#include <optional>

#include "keelson/async/clock.hpp"
#include "keelson/base/backoff.hpp"
#include "keelson/base/error.hpp"

namespace keelson::access {

// Of one review (client-go).
inline constexpr int kReviewTries = 5;

class ReviewRetries {
 public:
  explicit ReviewRetries(base::Random& random);

  // How long to wait before the next try; none: this is the outcome.
  [[nodiscard]] std::optional<async::Duration> after(const Error& error);

 private:
  base::Backoff backoff_;
  int tries_left_ = kReviewTries - 1;
};

}  // namespace keelson::access
