#include "src/controller/concurrency_policy.hpp"

#include <algorithm>
#include <chrono>

namespace keelson::controller {

using namespace std::chrono_literals;

namespace {

constexpr async::Duration kBetweenReductions = 1s;
constexpr int kStepsToAllWorkers = 20;

// https://github.com/kubernetes/community/blob/master/sig-scalability/slos/api_call_latency.md
constexpr double kSlowSeconds = 1;
constexpr double kTimesTheShortest = 3;
// The weight of a new duration: about the last ten count. One request that waits for its timeout is not yet overload.
constexpr double kWeight = 0.1;
constexpr double kLongestSeconds = 4 * kSlowSeconds;
constexpr async::Duration kWindow = 1min;

// The others may be long by their nature: a list of many objects, a watch.
bool has_typical_duration(kube::Verb verb) {
  switch (verb) {
    case kube::Verb::kGet:
    case kube::Verb::kCreate:
    case kube::Verb::kUpdate:
    case kube::Verb::kPatch:
    case kube::Verb::kDelete:
      return true;
    case kube::Verb::kList:
    case kube::Verb::kWatch:
    case kube::Verb::kDeleteCollection:
      return false;
  }
  return false;
}

}  // namespace

std::optional<Overload> ConcurrencyPolicy::sign_in(const kube::Answer& answer, async::TimePoint now) {
  std::optional<Overload> sign;
  if (has_typical_duration(answer.verb) && is_slow(answer.lasted, now)) sign = Overload::kLatency;
  if (answer.asks_to_wait) sign = answer.status == 429 ? Overload::kThrottled : Overload::kUnavailable;
  if (sign) last_sign_ = now;
  return sign;
}

bool ConcurrencyPolicy::is_slow(async::Duration latency, async::TimePoint now) {
  const double seconds = std::min(std::chrono::duration<double>(latency).count(), kLongestSeconds);
  if (!smoothed_) {
    shortest_ = shortest_before_ = seconds;
    window_began_ = now;
  }
  if (now - window_began_ >= kWindow) {
    shortest_before_ = shortest_;
    shortest_ = seconds;
    window_began_ = now;
  }
  shortest_ = std::min(shortest_, seconds);
  smoothed_ = smoothed_ ? *smoothed_ + kWeight * (seconds - *smoothed_) : seconds;
  return *smoothed_ > kSlowSeconds && *smoothed_ > kTimesTheShortest * std::min(shortest_, shortest_before_);
}

bool ConcurrencyPolicy::reduce(int in_use, async::TimePoint now) {
  if (last_reduction_ && now - *last_reduction_ < kBetweenReductions) return false;
  last_reduction_ = now;
  const int before = limit_;
  limit_ = std::max(1, std::min(limit_, in_use) / 2);
  return limit_ < before;
}

bool ConcurrencyPolicy::grow(async::TimePoint now) {
  if (!is_reduced() || (last_sign_ && now - *last_sign_ < kBetweenReductions)) return false;
  limit_ = std::min(workers_, limit_ + std::max(1, workers_ / kStepsToAllWorkers));
  return true;
}

}  // namespace keelson::controller
