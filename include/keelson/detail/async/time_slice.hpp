// TimeSlice: the time for which a coroutine may run before it yields the loop, and the queue in which it waits to
// resume.
//
// Work that never waits for a socket (a peer that always sends faster, a list that has arrived completely) would occupy
// the loop. Its coroutine owns a TimeSlice, reports the bytes that it has processed, and yields when the slice is over.
//
// Example (test/examples/async.cpp#time_slice):
//   boost::asio::awaitable<void> handle_all(async::Clock& clock, std::vector<std::string> pieces) {
//     async::TimeSlice slice(clock);
//     for (const auto& piece : pieces) {
//       handle(piece);
//       slice.spend(piece.size());
//       if (slice.is_over()) co_await slice.yield();
//     }
//   }
//
// All coroutines of a loop that yield wait in a single queue, and each turn of the loop resumes one of them: everything
// else that is ready waits for one slice, not for a slice of every busy connection.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>

#include "keelson/async/clock.hpp"

namespace keelson::limits {

// Decoding yields the loop after this many bytes, so that a long list does not delay a probe.
inline constexpr std::size_t kDecodeSliceBytes = std::size_t{256} << 10;

}  // namespace keelson::limits

namespace keelson::async {

class TimeSlice {
 public:
  // The slice after yield(): 2 ms, because the coroutine runs alone in its turn.
  static constexpr Duration kLength = std::chrono::milliseconds(2);
  // The slice after another wait: short, because a turn of the loop can resume a hundred coroutines.
  static constexpr Duration kFirstLength = std::chrono::microseconds(250);

  // `clock` must outlive the slice.
  explicit TimeSlice(Clock& clock);

  // Begins a short slice: call it after the coroutine has waited for something else.
  void restart();
  // Counts bytes that were processed.
  void spend(std::size_t bytes) { bytes_ += bytes; }
  // True if the time of the slice or limits::kDecodeSliceBytes is used up. It reads the clock.
  [[nodiscard]] bool is_over() const;

  // Waits in the queue, then begins a new slice. Terminal cancellation ends the wait: the coroutine unwinds.
  [[nodiscard]] boost::asio::awaitable<void> yield();

 private:
  void begin(Duration length);

  Clock& clock_;
  TimePoint end_;
  std::size_t bytes_ = 0;
};

}  // namespace keelson::async
