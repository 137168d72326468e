// Leader election by a Lease, compatible with client-go's leader elector: replicas in Go and ours can share a lease.
//
// Overview of room leader: election.hpp composes the parts. The elector competes for the lease, lock.hpp reads and
// writes it, and fence.hpp prevents writes after leadership may be lost.
//
// - A standby watches the lease. It acquires a released lease immediately. If the holder stops renewing, it acquires
//   the lease one lease duration (the one in the lease) after the last change that this process observed, on its own
//   monotonic clock: the times in the lease are never compared, so the clocks of different machines may differ.
// - A leader renews the lease every retry period. Its leadership ends one renew deadline after it sent its last
//   successful renewal: then the fence closes, the state is kLost, and it never leads again. The program should exit.
// - Between the end of leadership and the earliest acquisition by a standby lies lease duration - renew deadline (5 s
//   by default), in which a write that was already sent must arrive or be discarded: Timing::delivery_timeout().
//
// Ownership: the caller owns the elector, which must outlive all clients that use its fence. The references passed to
// make_elector() must outlive the elector.
// Order: start() begins to compete and returns without waiting. Await stop() after all work of the leader has ended:
// it releases the lease, so that the next leader can begin at once.
// Cancellation: stop() cancels the requests of the elector itself. Errors of requests are logged once, not on every
// retry, and never end the competition.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "keelson/base/log.hpp"
#include "keelson/detail/async/runnable.hpp"
#include "keelson/detail/base/random.hpp"
#include "keelson/detail/leader/fence.hpp"
#include "keelson/detail/leader/lock.hpp"
#include "keelson/metrics/registry.hpp"

namespace keelson::leader {

// lease duration > renew deadline > 1.2 x retry period. The defaults are those of controller-runtime.
struct Timing {
  // client-go's JitterFactor: a standby without a watch reads the lease every 1 to 2.2 retry periods.
  static constexpr double kJitter = 1.2;

  // The time without a renewal after which a standby acquires the lease, and that after which leadership is lost.
  async::Duration lease_duration = std::chrono::seconds(15);
  async::Duration renew_deadline = std::chrono::seconds(10);
  async::Duration retry_period = std::chrono::seconds(2);  // between two renewals

  // The timeout of a request: half of the renew deadline, but at least 1 s, as in controller-runtime.
  [[nodiscard]] async::Duration request_timeout() const;

  // kube::RestClientOptions::delivery_timeout of all clients of the process: half of lease duration - renew deadline.
  // The other half is for the time until the first retransmission, and for the network.
  [[nodiscard]] async::Duration delivery_timeout() const;
};

// Checks client-go's rules. Fails with kInvalid: client-go's text, then a colon, then the flag to change.
[[nodiscard]] Result<void> validate(const Timing& timing);

// "<host name>_<uuid>", a new one for each process. Never configure a fixed identity: two processes with the same one
// would both lead.
[[nodiscard]] std::string make_identity(base::Random& random);

struct ElectorOptions {
  std::string identity;  // the holderIdentity to write; not empty (asserted)
  std::string name;      // the name of the lease, for the label of metrics
  Timing timing;         // valid (asserted): call validate() with values of a user first
};

struct ElectorStatus;

// A service of the manager. start() never fails. stop() releases the lease if this process holds it, and gives up after
// the renew deadline; the lease then expires by itself.
class Elector : public async::Runnable {
 public:
  // kStandby: competes for the lease. kLeading: holds it. kLost: led before; final.
  enum class State { kStandby, kLeading, kLost };
  [[nodiscard]] virtual State state() const = 0;
  // Sets the function that is called after each change of the state, from the event loop. It must not destroy the
  // elector. A second call replaces the function.
  virtual void on_change(std::function<void()> callback) = 0;
  // Open only while this process holds the lease; it is a part of the elector. Pass it to fenced().
  [[nodiscard]] virtual const Fence& fence() const = 0;

  // Call it before stop() if work of the leader was canceled: a request may still be in transit through a proxy or a
  // webhook. stop() then leaves the lease to expire instead of releasing it.
  virtual void forgo_release() = 0;

  [[nodiscard]] virtual ElectorStatus status() const = 0;
};

// The state of an election at one moment, for pages that people read.
struct ElectorStatus {
  Elector::State state = Elector::State::kStandby;
  async::Duration in_state{0};     // since the last change of the state; 0 before the start
  std::string identity;            // of this process
  std::string lease;               // "namespace/name"
  std::optional<Record> observed;  // the last known content of the lease
  async::Duration unchanged{0};    // since the lease last changed, as this process observed it
  std::string problem = {};        // why the lease cannot be read or written now; empty: it can
};

// Makes an elector for `lock`. Exports leader_election_master_status and leader_election_slowpath_total. All references
// must outlive the elector.
[[nodiscard]] std::unique_ptr<Elector> make_elector(boost::asio::any_io_executor executor, async::Clock& clock,
                                                    base::Random& random, Logger log, metrics::Registry& registry,
                                                    Lock& lock, ElectorOptions options);

}  // namespace keelson::leader
