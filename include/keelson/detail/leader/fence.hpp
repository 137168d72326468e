// The fence that prevents a leader from writing once it may have lost the lease.
//
// It is open until a time that each successful renewal extends: when the renewal was sent, plus the renew deadline. The
// clock also runs while the process is stopped (SIGSTOP) or the machine is suspended, so that a leader that wakes up
// late does not write. It is checked directly before the bytes of a request are written to the socket, after all waits
// for connections. Bytes that are already in the kernel can still arrive, for which the gap between renew deadline and
// lease duration is the time: give the client Timing::delivery_timeout(), after which the kernel discards them.
#pragma once

#include <memory>

#include "keelson/async/clock.hpp"
#include "keelson/kube/client.hpp"

namespace keelson::leader {

class Fence {
 public:
  // Constructs a closed fence. The clock must outlive it.
  explicit Fence(const async::Clock& clock) : clock_(clock) {}
  Fence(const Fence&) = delete;
  Fence& operator=(const Fence&) = delete;

  // Replaces the time at which the fence closes by itself; no timer is needed.
  void open_until(async::TimePoint end) { end_ = end; }
  void close() { end_ = {}; }
  [[nodiscard]] bool is_open() const { return clock_.now() < end_; }

 private:
  const async::Clock& clock_;
  async::TimePoint end_{};
};

// A client that passes all requests to `client`; while the fence is closed, its writes (create, update, patch, delete)
// fail with kFenced and are not sent. Reads and watches are not affected. A kFenced error must not be retried: this
// process does not lead, or no longer. Both arguments must outlive the returned client.
[[nodiscard]] std::unique_ptr<kube::Client> fenced(kube::Client& client, const Fence& fence);

}  // namespace keelson::leader
