// Limits of room `queue`, each with the reason for its number. The backoff after errors is in retry_backoff.hpp.
#pragma once

#include <cstddef>

namespace keelson::limits {

// Reasons per queued key; further ones are dropped.
inline constexpr std::size_t kReasonsPerKey = 4;

// Distinct sets of reasons in a queue: kinds times events are some dozens.
inline constexpr std::size_t kReasonSets = 1000;

// Keys in progress that a snapshot names: those that run longest.
inline constexpr std::size_t kSnapshotKeys = 5;

// Priorities that have their own series of workqueue_depth, as in controller-runtime.
inline constexpr std::size_t kPriorityLabels = 25;

}  // namespace keelson::limits
