// LoopTurns: the duration of the loop's turns, from a wake-up until the loop polls its sockets and timers again.
//
// A long turn delays every probe, watch and renewal of the lease, so the manager exports the longest one as a metric.
// While a LoopTurns exists, every turn is measured: this reads the clock once per turn, or twice if the loop had to
// wait (0.1 to 0.2 us). Everything that is ready in a turn counts together, because a socket waits for all of it.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <optional>

#include "keelson/async/clock.hpp"

namespace keelson::async {

// The arithmetic without a loop: the time between two waits is a turn, the time of a wait is not.
class TurnMeter {
 public:
  // The loop has returned from its wait.
  void wakes(TimePoint now) { awake_since_ = now; }
  // The loop begins to wait, which ends the turn.
  void waits(TimePoint now);
  // The longest turn that ended since the last call of this function.
  [[nodiscard]] Duration take_longest();

 private:
  std::optional<TimePoint> awake_since_;  // none before the first wake-up
  Duration longest_{0};
};

class TurnService;

// Measures a loop for as long as it exists.
class LoopTurns {
 public:
  // A loop has at most one LoopTurns at a time (asserted). The loop and the clock must outlive it.
  LoopTurns(const boost::asio::any_io_executor& executor, Clock& clock);
  LoopTurns(const LoopTurns&) = delete;
  LoopTurns& operator=(const LoopTurns&) = delete;
  ~LoopTurns();

  // As in TurnMeter. The turn in progress does not count yet.
  [[nodiscard]] Duration take_longest() { return meter_.take_longest(); }

 private:
  friend class TurnService;
  TurnService& service_;
  Clock& clock_;
  TurnMeter meter_;
};

}  // namespace keelson::async
