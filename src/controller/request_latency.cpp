#include "src/controller/request_latency.hpp"

#include <algorithm>
#include <chrono>

namespace keelson::controller {

using namespace std::chrono_literals;

namespace {

// Kinds of requests (verb, resource, subresource) whose durations are compared with earlier ones: more than a program
// with a dozen controllers sends.
constexpr std::size_t kRequestKinds = 256;

// https://github.com/kubernetes/community/blob/master/sig-scalability/slos/api_call_latency.md
constexpr double kSlowSeconds = 1;
constexpr double kTimesTheShortest = 3;
// The weight of a new duration: about the last ten count. One request that waits for its timeout is not yet overload.
constexpr double kWeight = 0.1;
constexpr double kLongestSeconds = 4 * kSlowSeconds;
constexpr async::Duration kWindow = 1min;

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

bool RequestLatency::is_rising(const kube::Answer& answer, async::TimePoint now) {
  if (!has_typical_duration(answer.verb)) return false;
  const double seconds = std::min(std::chrono::duration<double>(answer.lasted).count(), kLongestSeconds);
  auto* kind = find_or_add(answer, seconds, now);
  if (kind == nullptr) return false;
  if (now - kind->window_began >= kWindow) {
    kind->shortest_before = kind->shortest;
    kind->shortest = seconds;
    kind->window_began = now;
  }
  kind->last = now;
  kind->shortest = std::min(kind->shortest, seconds);
  kind->smoothed += kWeight * (seconds - kind->smoothed);
  return seconds > kSlowSeconds && kind->smoothed > kSlowSeconds &&
         kind->smoothed > kTimesTheShortest * std::min(kind->shortest, kind->shortest_before);
}

RequestLatency::Durations* RequestLatency::find_or_add(const kube::Answer& answer, double seconds,
                                                       async::TimePoint now) {
  // The first answer may be slow because its connection is new: by itself it does not make the kind slow.
  const Durations first{std::min(seconds, kSlowSeconds), seconds, seconds, now, now};
  const auto is_forgotten = [now](const Durations& kind) { return now - kind.last > kWindow; };
  auto name = std::string(kube::verb_name(answer.verb)) + ' ' + answer.target;
  if (const auto known = kinds_.find(name); known != kinds_.end()) {
    if (is_forgotten(known->second)) known->second = first;
    return &known->second;
  }
  if (kinds_.size() >= kRequestKinds) {
    std::erase_if(kinds_, [&](const auto& kind) { return is_forgotten(kind.second); });
  }
  if (kinds_.size() >= kRequestKinds) return nullptr;
  return &kinds_.emplace(std::move(name), first).first->second;
}

}  // namespace keelson::controller
