// The loop of a test: it runs one coroutine to its end, in virtual time or with real sockets.
//
// This folder has the parts of a test of coroutines: this loop, the clock that it moves (virtual_clock.hpp), and a log
// to examine (recording_sink.hpp). Tests of a whole operator use simulated_cluster.hpp, which is built on them.
//
// Example (test/examples/sandbox_loop.cpp#test_loop):
//   // Ten minutes of virtual time pass at once: the result is 10.
//   std::size_t ticks_in_ten_minutes() {
//     sandbox::loop::TestLoop loop;
//     sandbox::loop::RecordingSink sink;
//     loop.run([&]() -> boost::asio::awaitable<void> {
//       for (int minute = 0; minute < 10; ++minute) {
//         co_await async::sleep_for(loop.clock(), std::chrono::minutes(1));
//         Logger(sink).info("tick");
//       }
//     });
//     return sink.count("tick");
//   }
//
// Ownership: the loop owns an io_context, a VirtualClock and a real clock. Declare it before all objects that use them,
// so that it is destroyed last.
//
// Threads: everything runs in the thread that calls run(), only during that call. Do not call it from a coroutine.
//
// Failures: run() rethrows an exception of the coroutine, a failed REQUIRE too. If it gives up, it first cancels the
// coroutine (terminal) and lets it unwind. Other coroutines on the loop are not canceled.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <functional>
#include <memory>

#include "keelson/async/clock.hpp"
#include "keelson/detail/sandbox/loop/virtual_clock.hpp"

namespace keelson::sandbox::loop {

// Limits of one run(), against tests that never end.
struct RunLimits {
  async::Duration virtual_time = std::chrono::hours(24 * 400);
  std::size_t steps = 20'000'000;  // handlers that the loop executes
};

class TestLoop {
 public:
  // run() keeps the function alive until its coroutine has ended, so a lambda with captures is safe here.
  using Body = std::function<boost::asio::awaitable<void>()>;

  TestLoop();
  TestLoop(const TestLoop&) = delete;
  TestLoop& operator=(const TestLoop&) = delete;
  ~TestLoop();

  [[nodiscard]] boost::asio::any_io_executor executor() const;
  // The clock that run() moves. It keeps its time between runs.
  [[nodiscard]] VirtualClock& clock();
  // A clock of real time on this loop, for run_real().
  [[nodiscard]] async::Clock& real_clock();

  // Executes all ready handlers, moves the virtual clock to the next timer, and repeats this until the coroutine has
  // ended. Throws std::runtime_error if nothing is left to do (a deadlock) or at a limit. Unfinished work of other
  // coroutines continues in the next run.
  void run(boost::asio::awaitable<void> task, RunLimits limits = {});
  void run(Body body, RunLimits limits = {});

  // Runs with real input and output, for at most `limit` of real time; throws std::runtime_error then. The virtual
  // clock does not move on its own, but its timers that are already due fire.
  void run_real(boost::asio::awaitable<void> task, std::chrono::seconds limit = std::chrono::seconds(30));
  void run_real(Body body, std::chrono::seconds limit = std::chrono::seconds(30));

  // Executes all ready handlers without moving the clock, for example after a VirtualClock::advance().
  void poll();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Resumes the caller after all handlers that are ready now.
[[nodiscard]] boost::asio::awaitable<void> yield();

}  // namespace keelson::sandbox::loop
