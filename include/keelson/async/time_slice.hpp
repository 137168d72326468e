// A coroutine's share of the loop: how long it may run before it yields, and the line in which it waits for more.
//
// Work that never has to wait for a socket (a peer that is always ahead, a list that has arrived) would keep the loop.
// Its coroutine owns a TimeSlice, reports what it has processed, and yields when the slice is over. All coroutines
// that yield wait in one line for each loop, and each turn of the loop takes one of them: everything else that is ready
// waits for one slice, and not for one of each busy connection.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>

#include "keelson/async/clock.hpp"

namespace keelson::async {

class TimeSlice {
 public:
  // Of a coroutine that has waited in line.
  static constexpr Duration kLength = std::chrono::milliseconds(2);
  // Of a coroutine that the loop has just resumed: a hundred can be resumed in one turn of the loop.
  static constexpr Duration kFirstLength = std::chrono::microseconds(250);

  explicit TimeSlice(Clock& clock);

  // The coroutine has waited for something else and has the loop again.
  void restart();
  void spend(std::size_t bytes) { bytes_ += bytes; }
  // By time, or by limits::kDecodeSliceBytes. Reads the clock.
  [[nodiscard]] bool is_over() const;

  // Waits in line. Terminal cancellation ends the wait by unwinding.
  [[nodiscard]] boost::asio::awaitable<void> yield();

 private:
  void begin(Duration length);

  Clock& clock_;
  TimePoint end_;
  std::size_t bytes_ = 0;
};

}  // namespace keelson::async
