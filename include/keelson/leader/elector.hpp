// Competes for a lease as client-go's leader elector does, so that its replicas and ours can share one.
//
// A standby watches the lease and takes it when it is free: at once when it was released, and when its holder is dead a
// lease duration after the last change that was seen here, by our own clock. A leader renews it, and is fenced from the
// renew deadline after it last sent a renewal that succeeded; then its lead is lost, for good.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <memory>
#include <string>

#include "keelson/async/runnable.hpp"
#include "keelson/base/log.hpp"
#include "keelson/base/random.hpp"
#include "keelson/leader/fence.hpp"
#include "keelson/leader/lock.hpp"
#include "keelson/metrics/registry.hpp"

namespace keelson::leader {

struct Timing {
  // client-go's JitterFactor.
  static constexpr double kJitter = 1.2;

  async::Duration lease_duration = std::chrono::seconds(15);
  async::Duration renew_deadline = std::chrono::seconds(10);
  async::Duration retry_period = std::chrono::seconds(2);

  // How long one request may take, as controller-runtime has it.
  [[nodiscard]] async::Duration request_timeout() const;
};

// client-go's rules in client-go's words; behind a colon, what to do.
[[nodiscard]] Result<void> validate(const Timing& timing);

// "host_<uuid>": another one for each process.
[[nodiscard]] std::string make_identity(base::Random& random);

struct ElectorOptions {
  std::string identity;
  std::string name;  // of the lease, for metrics
  Timing timing;     // valid (asserted)
};

class Elector : public async::Runnable {
 public:
  enum class State { kStandby, kLeading, kLost };
  [[nodiscard]] virtual State state() const = 0;
  // Called after each change of it.
  virtual void on_change(std::function<void()> tell) = 0;
  [[nodiscard]] virtual const Fence& fence() const = 0;
  // start() begins to compete and returns. stop() is to come after all work of the leader has ended: it gives the lease
  // up, within the renew deadline.

  // Before stop(): the leader's work was cut off, and a request of it may still be on its way through a proxy or a
  // webhook. The lease is not given up then, it runs out.
  virtual void forgo_release() = 0;
};

// All references must outlive it.
[[nodiscard]] std::unique_ptr<Elector> make_elector(boost::asio::any_io_executor executor, async::Clock& clock,
                                                    base::Random& random, Logger log, metrics::Registry& registry,
                                                    Lock& lock, ElectorOptions options);

}  // namespace keelson::leader
