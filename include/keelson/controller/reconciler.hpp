// The interface between the work queue and the code that reconciles an object.
//
// Most operators use controller_for.hpp, which implements it with a Pass: reads, applies, status, Events. Implement it
// directly for a controller that does not have the shape "object with children and a status".
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <optional>

#include "keelson/async/clock.hpp"
#include "keelson/base/log.hpp"
#include "keelson/base/result.hpp"
#include "keelson/base/task.hpp"
#include "keelson/kube/object.hpp"

namespace keelson::kube {
class Client;
}  // namespace keelson::kube

namespace keelson::controller {

class ReconcileObserver;

// How a successful reconcile continues. An Error, in contrast, is retried with backoff (Definition::backoff), or at the
// object's next change only if it is terminal().
class Outcome {
 public:
  // The object is reconciled again when it, or a watched object that maps to it, changes.
  [[nodiscard]] static Outcome done() { return Outcome{}; }
  // Reconciles again after `delay`, or earlier if something changes. Zero or less: immediately, but after
  // 10 in a row that change nothing of the object, a second later. The backoff starts from the
  // beginning, as after done().
  [[nodiscard]] static Outcome requeue_after(async::Duration delay) {
    Outcome outcome;
    outcome.after_ = delay;
    return outcome;
  }
  [[nodiscard]] std::optional<async::Duration> after() const { return after_; }

 private:
  std::optional<async::Duration> after_;
};

// A try to reconcile an object. It lives until the reconcile has ended, with its failure reported: a coroutine that
// outlives the reconcile must not use it.
struct Attempt {
  kube::Key key;
  // Its lines have the keys controller, kind, namespace, name, reconcileID and reason.
  Logger log;
  // Sends the requests of this attempt: the history of the object and the traces attribute them to it. The cache
  // contains its writes immediately, and they are fenced if the controller needs the lease. Requests with the client of
  // the Context are the same, except that they are not attributed.
  kube::Client& client;
  ReconcileObserver* observer = nullptr;  // for the framework; null in tests: nothing is observed
};

class Reconciler {
 public:
  virtual ~Reconciler() = default;

  // Called for a key, never for an event: read the current state, change what differs from the desired state, return.
  // The object may not exist (any more), and it may be paused: see pause_of() in pause.hpp. Never called twice at the
  // same time for one key.
  //
  // An Error that is returned is logged by the controller: do not log it too. Conflicts (409), fenced writes and errors
  // of a terminating namespace are logged at debug level. An exception is counted as a panic and retried as an error.
  // Cancellation (the grace period is over, the reconcile timeout has passed, the lease is lost) destroys the
  // coroutine.
  [[nodiscard]] virtual Task<Outcome> reconcile(Attempt& attempt) = 0;

  // Called after a reconcile() that has thrown or was canceled by its timeout: report the Error in the object if it
  // persists. False: the controller records an Event instead.
  [[nodiscard]] virtual boost::asio::awaitable<bool> report_failure(Attempt& /*attempt*/, Error /*failure*/) {
    co_return false;
  }
};

}  // namespace keelson::controller
