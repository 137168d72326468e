// The decisions of an elector, without I/O: a plain class that is tested as a table.
//
// As in client-go, the clocks of different machines do not matter: a lease has expired if this process has observed no
// change for the lease's duration. The times in the lease are never compared with the local clock.
#pragma once

#include <optional>
#include <string>

#include "keelson/detail/leader/elector.hpp"

namespace keelson::leader {

class ElectorPolicy {
 public:
  ElectorPolicy(std::string identity, Timing timing) : identity_(std::move(identity)), timing_(timing) {}

  // The lease was read or reported by the watch; nullopt: it does not exist. A reply that is older than the last one
  // only delays a takeover.
  void saw(const std::optional<Record>& record, async::TimePoint now);
  // `record` was written, by a request that was sent at `sent`.
  void wrote(const Record& record, async::TimePoint sent, async::TimePoint now);

  // True if this process holds the lease, if it is released or absent, or if it has expired.
  [[nodiscard]] bool may_take(async::TimePoint now) const;
  [[nodiscard]] bool is_ours() const { return observed_ && observed_->holder == identity_; }
  // When it expires, if another replica holds it.
  [[nodiscard]] std::optional<async::TimePoint> runs_out() const;
  // The end of this process's leadership.
  [[nodiscard]] async::TimePoint lead_ends() const { return lead_ends_; }
  [[nodiscard]] const std::optional<Record>& observed() const { return observed_; }
  // When the last change of observed() was read, reported or written.
  [[nodiscard]] async::TimePoint observed_at() const { return observed_at_; }

  // The records to write: to acquire or renew the lease, and to release it.
  [[nodiscard]] Record wanted(async::WallTime now) const;
  [[nodiscard]] Record released(async::WallTime now) const;

 private:
  std::string identity_;
  Timing timing_;
  std::optional<Record> observed_;  // the last known record, also after a deletion
  async::TimePoint observed_at_{};
  async::TimePoint lead_ends_{};
};

}  // namespace keelson::leader
