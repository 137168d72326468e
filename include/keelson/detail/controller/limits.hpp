// Limits of room `controller` that several files use, each with the reason for its number.
#pragma once

#include <cstddef>

namespace keelson::limits {

// --max-concurrent-reconciles: more requests would only wait in the API server, in its default queue per user.
inline constexpr int kConcurrentReconciles = 1000;

// --max-concurrent-reconciles by default. Reconciles of different objects run on one thread, so they share no data that
// needs a lock; they only wait for the API server at the same time. More workers gain nothing (docs/benchmarks.md), and
// an overloaded API server reduces them (concurrency_limiter.hpp).
inline constexpr int kDefaultConcurrentReconciles = 16;

// The slowest keys and the last failed keys of a controller that its status names.
inline constexpr std::size_t kNotedKeys = 5;

// --reconcile-history: objects whose last reconciles are stored, of all controllers together. Each takes about 600
// bytes, and 1.1 KB with four queued reasons of long names: the default takes 6 MB, at most 11.
inline constexpr int kReconcileHistory = 10'000;
// Reasons, written objects and read kinds of a reconcile, and fields of a written object. An engineer reads them; the
// log has the rest.
inline constexpr std::size_t kRecordedReasons = 4;
inline constexpr std::size_t kRecordedWrites = 6;
inline constexpr std::size_t kRecordedReads = 8;
inline constexpr std::size_t kRecordedFields = 6;

}  // namespace keelson::limits
