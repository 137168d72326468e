#include "src/access/review_retries.hpp"

namespace keelson::access {
using namespace std::chrono_literals;

namespace {

// Other rejections are permanent: this process lacks an RBAC permission.
bool may_pass(const Error& error) {
  switch (error.kind) {
    case Error::Kind::kTransport:
    case Error::Kind::kTimeout:
      return true;
    case Error::Kind::kStatus:
      return error.code >= 500 || error.code == 429;
    default:
      return false;
  }
}

}  // namespace

ReviewRetries::ReviewRetries(base::Random& random)
    : backoff_({.initial = 500ms, .factor = 1.5, .cap = limits::kReviewTime, .jitter = 0.2}, random) {}

std::optional<async::Duration> ReviewRetries::after(const Error& error) {
  if (!may_pass(error) || tries_left_ == 0) return std::nullopt;
  --tries_left_;
  return backoff_.next();
}

}  // namespace keelson::access
