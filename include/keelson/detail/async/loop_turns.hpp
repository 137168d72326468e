// LoopTurns: the duration of the loop's turns, from a wake-up until the loop polls its sockets and timers again.
//
// A long turn delays every probe, watch and renewal of the lease, so the manager exports them as metrics.
// While a LoopTurns exists, every turn is measured: this reads the clock once per turn, or twice if the loop had to
// wait (0.1 to 0.2 us). Everything that is ready in a turn counts together, because a socket waits for all of it.
#pragma once

#include <array>
#include <boost/asio/any_io_executor.hpp>
#include <cstdint>
#include <optional>

#include "keelson/async/clock.hpp"

namespace keelson::async {

// The upper bounds by which turns are counted. Most turns take less than the first; 5 ms is the goal for 999 of 1,000.
inline constexpr std::array<Duration, 11> kTurnBounds{
    std::chrono::microseconds{100}, std::chrono::microseconds{250}, std::chrono::microseconds{500},
    std::chrono::milliseconds{1},   std::chrono::milliseconds{2},   std::chrono::milliseconds{5},
    std::chrono::milliseconds{10},  std::chrono::milliseconds{25},  std::chrono::milliseconds{100},
    std::chrono::milliseconds{250}, std::chrono::seconds{1}};

// The turns of an interval.
struct Turns {
  // How many took at most the bound with the same index, and more than the bound before it; the last: more than all.
  std::array<std::uint64_t, kTurnBounds.size() + 1> counts{};
  Duration total{0};
  Duration longest{0};
};

// The arithmetic without a loop: the time between two waits is a turn, the time of a wait is not.
class TurnMeter {
 public:
  // The loop has returned from its wait.
  void wakes(TimePoint now) { awake_since_ = now; }
  // The loop begins to wait, which ends the turn.
  void waits(TimePoint now);
  // The turns that ended since the last call of this function.
  [[nodiscard]] Turns take();

 private:
  std::optional<TimePoint> awake_since_;  // none before the first wake-up
  Turns turns_;
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
  [[nodiscard]] Turns take() { return meter_.take(); }

 private:
  friend class TurnService;
  TurnService& service_;
  Clock& clock_;
  TurnMeter meter_;
};

}  // namespace keelson::async
