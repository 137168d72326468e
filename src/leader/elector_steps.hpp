// What an elector decides, without waiting: a plain class, tested as a table.
//
// The rule that makes clocks of different machines harmless is client-go's: a lease is over when it has not changed for
// its own duration since the change was seen here. What it says of the time is never compared with ours.
#pragma once

#include <optional>
#include <string>

#include "keelson/leader/elector.hpp"

namespace keelson::leader {

class ElectorSteps {
 public:
  ElectorSteps(std::string identity, Timing timing) : identity_(std::move(identity)), timing_(timing) {}

  // The lease was read, or heard of; none: there is none. An answer that is older than another does no harm: it only
  // makes us wait for longer.
  void saw(const std::optional<Record>& record, async::TimePoint now);
  // What we wanted was written, by a request sent then.
  void wrote(const Record& record, async::TimePoint sent, async::TimePoint now);

  // It is ours, or nobody's, or its holder has let it run out.
  [[nodiscard]] bool may_take(async::TimePoint now) const;
  [[nodiscard]] bool is_ours() const { return observed_ && observed_->holder == identity_; }
  // When it runs out, if somebody else has it.
  [[nodiscard]] std::optional<async::TimePoint> runs_out() const;
  // Until when we may act as the leader.
  [[nodiscard]] async::TimePoint lead_ends() const { return lead_ends_; }
  [[nodiscard]] const std::optional<Record>& observed() const { return observed_; }

  // To write: it is ours from now on, or still; or nobody's.
  [[nodiscard]] Record wanted(async::WallTime now) const;
  [[nodiscard]] Record released(async::WallTime now) const;

 private:
  std::string identity_;
  Timing timing_;
  std::optional<Record> observed_;  // what there was last, also when it is gone
  async::TimePoint observed_at_{};
  async::TimePoint lead_ends_{};
};

}  // namespace keelson::leader
