// What the author of an operator implements: bring one object's world in line with its spec.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <optional>

#include "keelson/async/clock.hpp"
#include "keelson/base/log.hpp"
#include "keelson/base/result.hpp"
#include "keelson/kube/key.hpp"

namespace keelson::controller {

// How a reconcile ended well. (An Error is retried with backoff; a terminal() one is not.)
class Outcome {
 public:
  [[nodiscard]] static Outcome done() { return Outcome{}; }
  // Come again after `delay`, and forget earlier failures; a delay of zero or less is at once.
  [[nodiscard]] static Outcome requeue_after(async::Duration delay) {
    Outcome outcome;
    outcome.after_ = delay;
    return outcome;
  }
  [[nodiscard]] std::optional<async::Duration> after() const { return after_; }

 private:
  std::optional<async::Duration> after_;
};

class Reconciler {
 public:
  virtual ~Reconciler() = default;

  // Called with a key, never an event: look at the world, act, return. Never twice at once for one key.
  // `log` carries controller, kind, namespace, name, reconcileID. Terminal cancellation unwinds (the grace period
  // is over). An exception is counted as a panic and retried as an error.
  [[nodiscard]] virtual boost::asio::awaitable<Result<Outcome>> reconcile(kube::Key key, Logger log) = 0;
};

}  // namespace keelson::controller
