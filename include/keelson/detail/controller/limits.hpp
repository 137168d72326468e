// Limits of room `controller`, each with the reason for its number.
#pragma once

#include <cstddef>
#include <cstdint>

namespace keelson::limits {

// Events (the kind) that wait to be sent, and the objects and series in the memory of an event recorder (client-go).
inline constexpr std::size_t kQueuedEvents = 1000;
inline constexpr std::size_t kRememberedEvents = 4096;

// Bytes of an Event's note: the maximum of the API server.
inline constexpr std::size_t kEventNoteBytes = 1024;

// --max-concurrent-reconciles: more requests would only wait in the API server, in its default queue per user.
inline constexpr int kConcurrentReconciles = 1000;

// --max-concurrent-reconciles by default. Reconciles of different objects run on one thread, so they share no data that
// needs a lock; they only wait for the API server at the same time. More workers gain nothing (docs/benchmarks.md), and
// an overloaded API server reduces them (concurrency_limiter.hpp).
inline constexpr int kDefaultConcurrentReconciles = 16;

// Keys that a channel stores for a controller that does not run yet. If there are more, the controller reconciles every
// object when it starts.
inline constexpr std::size_t kChannelKeys = 10'000;

// Children of a controller whose corrections are counted, those with the latest updates first (at most about 4 MB).
inline constexpr std::size_t kCorrectedChildren = 4096;

// The slowest keys and the last failed keys of a controller that its status names, and the bytes of an error text.
inline constexpr std::size_t kNotedKeys = 5;
inline constexpr std::size_t kNotedErrorBytes = 300;

// Passes of a key in a row that request the next one without a delay, before they are paced. A reconciler that works in
// steps needs a few of them; a reconciler that always requests one would occupy the loop.
inline constexpr int kImmediateRequeues = 10;
// Reconciles of a key within a minute from which on the status pages report it: 50 per second, for a whole minute. A
// reconciler whose every pass changes its own status reaches about twice as many. And the keys that are counted.
inline constexpr std::uint64_t kBusyReconciles = 3000;
inline constexpr std::size_t kCountedKeys = 16;

// --dry-run: the last differences that a controller remembers, to log none of them twice. Each takes about 200 bytes.
inline constexpr std::size_t kDryRunDifferences = 10'000;
// --dry-run: the fields in a log line, bytes of a value before or after, and bytes of all fields. A line must be
// readable, and shorter than limits::kLogLineBytes.
inline constexpr std::size_t kDryRunFields = 20;
inline constexpr std::size_t kDryRunValueBytes = 256;
inline constexpr std::size_t kDryRunFieldsBytes = 4096;

// --reconcile-history: objects whose last reconciles are stored, of all controllers together. Each takes about 600
// bytes, and 1.1 KB with four queued reasons of long names: the default takes 6 MB, at most 11, and the maximum 1.1 GB.
inline constexpr int kReconcileHistory = 10'000;
inline constexpr int kMostReconcileHistory = 1'000'000;
// Reconciles of an object. Fewer are stored if they do not fit into the bytes of the object.
inline constexpr std::size_t kReconcilesPerObject = 8;
// Reasons, written objects and read kinds of a reconcile, and fields of a written object. An engineer reads them; the
// log has the rest.
inline constexpr std::size_t kRecordedReasons = 4;
inline constexpr std::size_t kRecordedWrites = 6;
inline constexpr std::size_t kRecordedReads = 8;
inline constexpr std::size_t kRecordedFields = 6;
// Distinct kinds, reasons and field paths of all records, and their bytes. They follow from the code of the
// controllers, except for keys of maps such as labels; beyond the limit a text is recorded as "…".
inline constexpr std::size_t kRecordedTexts = 4096;
inline constexpr std::size_t kRecordedTextBytes = std::size_t{128} << 10;
// Distinct error texts, and bytes of each: long enough for a rejection by RBAC. The least recently used one is
// replaced.
inline constexpr std::size_t kRecordedErrors = 256;
inline constexpr std::size_t kRecordedErrorBytes = 400;

// --reconcile-history-dir: a file, of which there are two, with about 15,000 reconciles; and lines that wait to be
// written, which are more than a second's. Further ones are dropped.
inline constexpr std::size_t kHistoryFileBytes = std::size_t{4} << 20;
inline constexpr std::size_t kHistoryPendingBytes = std::size_t{1} << 20;

// Conditions of a kind that keelson_objects counts, each with four series; a family has at most 1000.
inline constexpr std::size_t kCountedConditions = 32;

// Objects of a kind that are remembered for /statusz for one condition (Stalled, Degraded, Conflict, Paused), 100 bytes
// each, and those that it names: an engineer reads them. keelson_objects counts all.
inline constexpr std::size_t kUnhealthyObjects = 1000;
inline constexpr std::size_t kNamedUnhealthyObjects = 20;

// Objects in a page of /debug/objects.
inline constexpr std::size_t kListedObjects = 100;

}  // namespace keelson::limits
