#include "keelson/detail/base/backoff.hpp"

#include <algorithm>

namespace keelson::base {

std::chrono::nanoseconds Backoff::next() {
  auto current = next_;
  auto grown = std::chrono::duration<double, std::nano>(current) * policy_.factor;
  auto cap = std::chrono::duration<double, std::nano>(policy_.cap);
  next_ = std::chrono::duration_cast<std::chrono::nanoseconds>(std::min(grown, cap));
  if (policy_.jitter <= 0) return current;
  auto stretched = std::chrono::duration<double, std::nano>(current) * (1 + policy_.jitter * random_.unit());
  return std::chrono::duration_cast<std::chrono::nanoseconds>(stretched);
}

}  // namespace keelson::base
