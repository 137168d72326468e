#include "src/controller/concurrency_policy.hpp"

#include <algorithm>
#include <chrono>

namespace keelson::controller {

using namespace std::chrono_literals;

namespace {

constexpr async::Duration kBetweenReductions = 1s;
constexpr int kStepsToAllWorkers = 20;

}  // namespace

std::optional<Overload> ConcurrencyPolicy::sign_in(const kube::Answer& answer, async::TimePoint now) {
  const bool is_rising = latency_.is_rising(answer, now);
  if (answer.asks_to_wait) {
    last_rejection_ = now;
    return answer.status == 429 ? Overload::kThrottled : Overload::kUnavailable;
  }
  if (!is_rising) return std::nullopt;
  last_slow_answer_ = now;
  return Overload::kLatency;
}

bool ConcurrencyPolicy::reduce(Overload sign, int in_use, async::TimePoint now) {
  const int least = sign == Overload::kLatency ? half() : 1;
  if (limit_ <= least || is_recent(last_reduction_, now)) return false;
  last_reduction_ = now;
  limit_ = std::max(least, std::min(limit_, in_use) / 2);
  return true;
}

bool ConcurrencyPolicy::grow(async::TimePoint now) {
  if (is_recent(last_rejection_, now)) return false;
  const int most = is_recent(last_slow_answer_, now) ? half() : workers_;
  if (limit_ >= most) return false;
  limit_ = std::min(most, limit_ + (workers_ + kStepsToAllWorkers - 1) / kStepsToAllWorkers);
  return true;
}

bool ConcurrencyPolicy::is_recent(std::optional<async::TimePoint> time, async::TimePoint now) {
  return time && now - *time < kBetweenReductions;
}

}  // namespace keelson::controller
