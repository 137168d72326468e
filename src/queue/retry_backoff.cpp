#include "keelson/detail/queue/retry_backoff.hpp"

#include <algorithm>

namespace keelson::queue {

async::Duration RetryBackoff::delay(int failures) const {
  auto delay = base;
  for (int doubled = 0; doubled < failures && delay < cap; ++doubled) delay *= 2;
  return std::min(delay, cap);
}

}  // namespace keelson::queue
