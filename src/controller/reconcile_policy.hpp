// The effects of a reconcile's result on the queue, the counters and the log. A table, without I/O.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>

#include "keelson/base/result.hpp"
#include "keelson/controller/reconciler.hpp"

namespace keelson::controller {

struct Verdict {
  enum class Queue {
    kForget,        // success: the backoff of the key is reset
    kAddAfter,      // the same, and the key is requeued after `delay`
    kAddWithDelay,  // a failure: the key is requeued after the rate limiter's delay, and not before `delay`
    kLeave,         // a terminal error: the key is not requeued, and its backoff not reset
  };
  enum class Count { kSuccess, kRequeueAfter, kError, kNone };
  enum class Log { kDetail, kQuiet, kError };

  Queue queue = Queue::kForget;
  async::Duration delay{0};
  Count count = Count::kSuccess;
  bool is_terminal = false;
  // A conflict (another client wrote first) and a namespace that is being deleted are expected: they are counted as
  // errors and logged at V(1). If it is the key's own namespace, the key is not retried, because the object is deleted
  // with it. A fenced write is not counted as an error, because the process is about to exit.
  Log log = Log::kDetail;
};

[[nodiscard]] Verdict judge(const Result<Outcome>& ended, const kube::Key& key);

// The verdict about a reconcile that has taken `lasted`. An answer of the API server that took seconds occupied a
// worker: a webhook may take 30 s, and a write that the API server cannot finish ends after 34 s. If such a reconcile
// fails, it is not retried before three times as long, so that one object takes at most a quarter of a worker. Without
// an answer, or with Retry-After, 429 or 503, the usual delay applies, because all objects wait for the same API
// server; after a 409 too, because the next try sees the newer object.
[[nodiscard]] Verdict after_slow_failure(Verdict verdict, const Result<Outcome>& ended, async::Duration lasted);

// The writes of a dry run so far that would change something.
struct DryRunTally {
  std::uint64_t differences = 0;
  std::uint64_t repeated = 0;  // of these, those that repeat an earlier one
};

// The verdict about a reconcile between two tallies. The writes of a dry run change nothing, so a reconcile that is
// requeued would send them again: a requeue waits for the rate limiter, too, and is dropped after a reconcile that only
// repeated writes.
[[nodiscard]] Verdict in_dry_run(Verdict verdict, DryRunTally before, DryRunTally after);

// The Error of an exception from an author's code, with the text of controller-runtime: "panic: … [recovered]".
// std::bad_alloc ends the process.
[[nodiscard]] Error panic_error(const std::exception_ptr& left_behind);

// The key of a queue item: "default/web", or "node-1" for a cluster-scoped object.
[[nodiscard]] kube::Key parse_key(std::string_view text);

}  // namespace keelson::controller
