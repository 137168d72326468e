// The lease that replicas compete for, in client-go's format, and the interface through which an elector reads and
// writes it.
//
// make_lease_lock() is the implementation with a Lease of the API server; tests of the elector use a fake. Calls are
// coroutines with a single timeout each, which the elector applies; cancellation unwinds them, and the API server may
// have executed a write that was canceled.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/base/task.hpp"
#include "keelson/kube/client.hpp"

namespace keelson::leader {

// The fields of a Lease's spec (coordination.k8s.io/v1) that leader election uses. Times are MicroTime texts, retained
// as they are: they inform users and are never compared with a clock.
struct Record {
  std::string holder;                 // holderIdentity; empty: released
  std::int64_t duration_seconds = 0;  // leaseDurationSeconds: a standby waits this long for the next renewal
  std::string acquire_time;           // acquireTime
  std::string renew_time;             // renewTime
  std::int64_t transitions = 0;       // leaseTransitions: the number of changes of the holder
  bool operator==(const Record&) const = default;
};

// A lease as it was read or written.
struct Lease {
  Record record;
  kube::Object object;  // the whole object: an update preserves its other fields, and its resourceVersion is the lock
};

class Lock {
 public:
  virtual ~Lock() = default;
  // "namespace/name", for the key `lock` of log lines.
  [[nodiscard]] virtual std::string describe() const = 0;
  // Reads the lease; nullopt if there is none yet.
  [[nodiscard]] virtual Task<std::optional<Lease>> get() = 0;
  // Creates the lease. Fails with kube::is_already_exists if another replica was faster.
  [[nodiscard]] virtual Task<Lease> create(Record record) = 0;
  // Replaces the record of `before`. Fails with kube::is_conflict if the lease has changed since `before` was read.
  [[nodiscard]] virtual Task<Lease> update(Lease before, Record record) = 0;
  // Calls the observer with the current lease and then with each change (nullopt: deleted), until the watch ends. The
  // API server ends watches after some minutes; that is a success, and the elector watches again.
  using Observer = std::function<void(const std::optional<Record>&)>;
  [[nodiscard]] virtual Task<void> watch(Observer callback) = 0;
  // Records an Event for the existing lease `about`: reason LeaderElection, message "<identity> became leader".
  [[nodiscard]] virtual Task<void> record_event(Lease about, std::string message) = 0;
};

struct LeaseLockOptions {
  kube::Key key;                      // namespace and name of the lease
  std::string identity;               // the source of the Events; equal to ElectorOptions::identity
  async::Duration request_timeout{};  // sent as the parameter `timeout`: the API server also abandons the request then
};

// The lock in the API server that `client` reaches. Use a client with connections of its own, so that other requests
// cannot delay a renewal, and not a fenced one: the elector writes before it leads. RBAC rules: get, create, update and
// watch on leases, create on events. The clock and the client must outlive the lock.
[[nodiscard]] std::unique_ptr<Lock> make_lease_lock(async::Clock& clock, kube::Client& client,
                                                    LeaseLockOptions options);

}  // namespace keelson::leader
