#include "src/controller/event_policy.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace keelson::controller {
using namespace std::chrono_literals;

namespace {
constexpr double kBurst = 25;
constexpr auto kRefill = 300s;
constexpr auto kSeriesRefresh = 30min;
constexpr auto kSeriesEnd = 6min;
}  // namespace

std::string EventSeries::key() const {
  std::string key;
  for (const auto* part : {&type, &action, &reason, &regarding.api_version, &regarding.kind, &regarding.ns,
                           &regarding.name, &regarding.uid}) {
    key += *part;
    key += '\n';
  }
  if (related) key += related->kind + "/" + related->ns + "/" + related->name + "/" + related->uid;
  return key;
}

EventPolicy::Taken EventPolicy::record(EventSeries event, async::TimePoint now) {
  auto key = event.key();
  if (State* known = series_.use(key)) {
    ++known->series.count;
    known->series.last = event.last;
    known->seen = now;
    if (known->sent_count == 1 && !known->in_flight) enqueue(key, *known);
    return Taken::kCounted;
  }
  if (queue_.size() >= limits::kQueuedEvents) return Taken::kFull;
  if (!take_token(event, now)) return Taken::kCut;
  State fresh;
  fresh.series = std::move(event);
  fresh.seen = now;
  enqueue(key, series_.add(key, std::move(fresh)));
  return Taken::kQueued;
}

std::optional<EventPolicy::Job> EventPolicy::next() {
  while (!queue_.empty()) {
    auto key = std::move(queue_.front());
    queue_.pop_front();
    State* state = series_.find(key);
    if (state == nullptr || !state->queued) continue;  // forgotten while it waited
    state->queued = false;
    state->in_flight = true;
    Job job;
    job.action = state->sent_count == 0 ? Job::Action::kCreate : Job::Action::kPatch;
    job.series = state->series;
    job.key = std::move(key);
    return job;
  }
  return std::nullopt;
}

void EventPolicy::sent(const Job& job, async::TimePoint now) {
  State* state = series_.find(job.key);
  if (state == nullptr || state->series.name != job.series.name) return;
  state->in_flight = false;
  state->sent_count = job.series.count;
  state->sent = now;
  // The event was repeated while the first one was being sent.
  if (job.action == Job::Action::kCreate && state->series.count > state->sent_count) enqueue(job.key, *state);
}

void EventPolicy::sweep(async::TimePoint now) {
  series_.keep_if([&](const std::string& key, State& state) {
    if (state.queued || state.in_flight) return true;
    bool has_more = state.series.count > state.sent_count;
    bool is_over = now - state.seen >= kSeriesEnd;
    if (has_more && (is_over || now - state.sent >= kSeriesRefresh)) return enqueue(key, state) || !is_over;
    return !is_over;
  });
}

void EventPolicy::flush() {
  series_.keep_if([&](const std::string& key, State& state) {
    if (!state.queued && !state.in_flight && state.series.count > state.sent_count) enqueue(key, state);
    return true;
  });
}

bool EventPolicy::take_token(const EventSeries& event, async::TimePoint now) {
  const auto& object = event.regarding;
  auto key = event.type + "/" + object.kind + "/" + object.ns + "/" + object.name + "/" + object.uid;
  Bucket* bucket = buckets_.use(key);
  if (bucket == nullptr) bucket = &buckets_.add(key, Bucket{kBurst, now});
  auto refilled = std::chrono::duration<double>(now - bucket->filled) / std::chrono::duration<double>(kRefill);
  bucket->tokens = std::min(kBurst, bucket->tokens + refilled);
  bucket->filled = now;
  if (bucket->tokens < 1) return false;
  bucket->tokens -= 1;
  return true;
}

bool EventPolicy::enqueue(const std::string& key, State& state) {
  if (state.queued) return true;
  if (queue_.size() >= limits::kQueuedEvents) return false;
  queue_.push_back(key);
  state.queued = true;
  return true;
}

}  // namespace keelson::controller
