#include "keelson/detail/async/log_limit.hpp"

#include <utility>

namespace keelson::async {

std::optional<Logger> LogLimit::admit(const Logger& log) {
  auto now = clock_->now();
  if (!begun_ || now >= *begun_ + kInterval) {
    begun_ = now;
    written_ = 0;
  }
  if (written_ >= kLines) {
    ++suppressed_;
    return std::nullopt;
  }
  ++written_;
  auto suppressed = std::exchange(suppressed_, 0);
  if (suppressed == 0) return log;
  return log.with({{"suppressed", suppressed}});
}

}  // namespace keelson::async
