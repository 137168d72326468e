#include "src/controller/reconcile_pace.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "keelson/detail/controller/limits.hpp"

namespace keelson::controller {

async::Duration ReconcilePace::requeued(const std::string& key, async::Duration delay, std::int64_t generation) {
  if (delay >= kShortest) {
    ended(key);
    return delay;
  }
  auto& row = immediate_[key];
  if (row.generation != generation) row = {0, generation};
  return ++row.requests > limits::kImmediateRequeues ? async::Duration(kPace) : delay;
}

void ReconcilePace::ended(const std::string& key) { immediate_.erase(key); }

void ReconcilePace::count(std::string_view key, async::TimePoint now) {
  begin_window(now);
  const auto found = counts_.find(key);
  if (found != counts_.end()) {
    ++found->second;
    return;
  }
  if (counts_.size() < limits::kCountedKeys) {
    counts_.emplace(key, 1);
    return;
  }
  for (auto& [counted, count] : counts_) --count;
  std::erase_if(counts_, [](const auto& counted) { return counted.second == 0; });
}

void ReconcilePace::begin_window(async::TimePoint now) {
  if (now - window_ < kWindow) return;
  counts_before_ = now - window_ < 2 * kWindow ? std::move(counts_) : Counts();
  counts_.clear();
  window_ = now;
}

std::uint64_t ReconcilePace::count_of(std::string_view key, async::TimePoint now) const {
  const auto age = now - window_;
  const auto in = [key](const Counts& counts) {
    const auto found = counts.find(key);
    return found == counts.end() ? std::uint64_t{0} : found->second;
  };
  if (age >= 2 * kWindow) return 0;
  return age >= kWindow ? in(counts_) : std::max(in(counts_), in(counts_before_));
}

std::vector<BusyKey> ReconcilePace::busy(async::TimePoint now) const {
  std::set<std::string_view> keys;
  for (const auto& [key, row] : immediate_) {
    if (keys.size() == limits::kNotedKeys) break;
    if (row.requests > limits::kImmediateRequeues) keys.insert(key);
  }
  for (const auto* counts : {&counts_, &counts_before_}) {
    for (const auto& [key, count] : *counts) {
      if (keys.size() < limits::kNotedKeys && count_of(key, now) >= limits::kBusyReconciles) keys.insert(key);
    }
  }
  std::vector<BusyKey> all;
  for (const auto key : keys) all.push_back(busy(key, now));
  return all;
}

BusyKey ReconcilePace::busy(std::string_view key, async::TimePoint now) const {
  BusyKey busy{std::string(key), count_of(key, now), 0};
  const auto found = immediate_.find(key);
  if (found != immediate_.end() && found->second.requests > limits::kImmediateRequeues) {
    busy.immediate = found->second.requests;
  }
  if (busy.immediate == 0 && busy.reconciles < limits::kBusyReconciles) busy.reconciles = 0;
  return busy;
}

}  // namespace keelson::controller
