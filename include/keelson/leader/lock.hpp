// The lease that candidates compete for, as client-go keeps it, and the seam to whoever stores it.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/kube/client.hpp"

namespace keelson::leader {

// The spec of a Lease (coordination.k8s.io/v1), as far as it is about who leads. Times are kept as they came: nobody
// compares them with a clock of their own.
struct Record {
  std::string holder;  // empty: released
  std::int64_t duration_seconds = 0;
  std::string acquire_time;
  std::string renew_time;
  std::int64_t transitions = 0;
  bool operator==(const Record&) const = default;
};

struct Lease {
  Record record;
  kube::Object object;  // whole: what is not of the record is kept, its resourceVersion is the optimistic lock
};

class Lock {
 public:
  virtual ~Lock() = default;
  // "namespace/name", for logs.
  [[nodiscard]] virtual std::string describe() const = 0;
  // None when there is no lease.
  [[nodiscard]] virtual boost::asio::awaitable<Result<std::optional<Lease>>> get() = 0;
  // is_already_exists when somebody was faster.
  [[nodiscard]] virtual boost::asio::awaitable<Result<Lease>> create(Record record) = 0;
  // is_conflict when it is not as it was before.
  [[nodiscard]] virtual boost::asio::awaitable<Result<Lease>> update(Lease before, Record record) = 0;
  // Tells of the lease as it is and then of each change (none: it is gone), until the watch ends, whyever.
  using Observer = std::function<void(const std::optional<Record>&)>;
  [[nodiscard]] virtual boost::asio::awaitable<Result<void>> watch(Observer tell) = 0;
  // An Event about the lease, which exists: "<identity> became leader".
  [[nodiscard]] virtual boost::asio::awaitable<Result<void>> record_event(Lease about, std::string message) = 0;
};

struct LeaseLockOptions {
  kube::Key key;
  std::string identity;               // of the events' source
  async::Duration request_timeout{};  // the server is asked to give up after it too
};

// A Lease behind `client`, which must outlive it.
[[nodiscard]] std::unique_ptr<Lock> make_lease_lock(async::Clock& clock, kube::Client& client,
                                                    LeaseLockOptions options);

}  // namespace keelson::leader
