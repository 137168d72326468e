// How long the loop's turns take: from a wake-up until it looks at its sockets and timers again.
//
// While a LoopTurns lives, every turn is measured, at the price of one look at the clock, or two where the loop had to
// wait (0.1 to 0.2 us of a turn). All that is ready in one turn counts together, because a socket waits for all of it.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <optional>

#include "keelson/async/clock.hpp"

namespace keelson::async {

// The arithmetic: time between two waits is a turn, time of a wait is not.
class TurnMeter {
 public:
  void wakes(TimePoint now) { awake_since_ = now; }
  void waits(TimePoint now);
  // The longest turn that ended since the last call.
  [[nodiscard]] Duration take_longest();

 private:
  std::optional<TimePoint> awake_since_;  // none before the first wake-up
  Duration longest_{0};
};

class TurnService;

class LoopTurns {
 public:
  // One at a time for a loop, which must outlive it, as must the clock.
  LoopTurns(const boost::asio::any_io_executor& executor, Clock& clock);
  LoopTurns(const LoopTurns&) = delete;
  LoopTurns& operator=(const LoopTurns&) = delete;
  ~LoopTurns();

  [[nodiscard]] Duration take_longest() { return meter_.take_longest(); }

 private:
  friend class TurnService;
  TurnService& service_;
  Clock& clock_;
  TurnMeter meter_;
};

}  // namespace keelson::async
