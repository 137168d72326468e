// What follows from how a reconcile ended: for the queue, the counters and the log. A table, without I/O.
#pragma once

#include <exception>
#include <string>
#include <string_view>

#include "keelson/base/result.hpp"
#include "keelson/controller/reconciler.hpp"

namespace keelson::controller {

struct Verdict {
  enum class Queue {
    kForget,        // success: the key's failures count no more
    kAddAfter,      // the same, and come again after `delay`
    kAddWithDelay,  // one failure more: come again after the rate limiter's delay, and not before `delay`
    kLeave,         // terminal error: neither again nor forgotten
  };
  enum class Count { kSuccess, kRequeueAfter, kError, kNone };
  enum class Log { kDetail, kQuiet, kError };

  Queue queue = Queue::kForget;
  async::Duration delay{0};
  Count count = Count::kSuccess;
  bool is_terminal = false;
  // A conflict is everyday life (somebody else wrote first), and so is a namespace that is being deleted: both are
  // counted as errors and logged at V(1). When it is the key's own namespace there is no use in trying again, because
  // the object goes with it. A write that was fenced is nobody's error: the process is about to end.
  Log log = Log::kDetail;
};

[[nodiscard]] Verdict judge(const Result<Outcome>& ended, const kube::Key& key);

// An exception that left an author's code, as controller-runtime words a recovered panic: "panic: … [recovered]".
// std::bad_alloc ends the process.
[[nodiscard]] Error panic_error(const std::exception_ptr& left_behind);

// The key of a queue item: "default/web", or "node-1" for a cluster-scoped object.
[[nodiscard]] kube::Key parse_key(std::string_view text);

}  // namespace keelson::controller
