// What keeps a leader from writing once it may have lost its lease: open until a moment, unless that is moved on.
//
// The moment is that of the last successful renewal's sending plus the renew deadline, on the clock that counts while
// the process is stopped and the machine suspended. Checked directly before a request's bytes go to the socket; bytes
// that are in the kernel already are outside.
#pragma once

#include <memory>

#include "keelson/async/clock.hpp"
#include "keelson/kube/client.hpp"

namespace keelson::leader {

class Fence {
 public:
  // Closed. The clock must outlive it.
  explicit Fence(const async::Clock& clock) : clock_(clock) {}
  Fence(const Fence&) = delete;
  Fence& operator=(const Fence&) = delete;

  void open_until(async::TimePoint end) { end_ = end; }
  void close() { end_ = {}; }
  [[nodiscard]] bool is_open() const { return clock_.now() < end_; }

 private:
  const async::Clock& clock_;
  async::TimePoint end_{};
};

// `client` whose writes fail with kFenced while the fence is closed; reads need no fence. Both must outlive it.
[[nodiscard]] std::unique_ptr<kube::Client> fenced(kube::Client& client, const Fence& fence);

}  // namespace keelson::leader
