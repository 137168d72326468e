// The loop of a test: runs one coroutine to its end, in virtual time or with real sockets.
//
// Owns an io_context, a VirtualClock and a real clock. Declare it first in a test, so that it goes last. An exception
// of the coroutine (a failed REQUIRE too) is rethrown by run.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <functional>
#include <memory>

#include "keelson/async/clock.hpp"
#include "keelson/testing/virtual_clock.hpp"

namespace keelson::testing {

struct RunLimits {
  async::Duration virtual_time = std::chrono::hours(24 * 400);
  std::size_t steps = 20'000'000;
};

class TestLoop {
 public:
  // A function is kept alive until its coroutine has ended, so its captures may be used in it.
  using Body = std::function<boost::asio::awaitable<void>()>;

  TestLoop();
  TestLoop(const TestLoop&) = delete;
  TestLoop& operator=(const TestLoop&) = delete;
  ~TestLoop();

  [[nodiscard]] boost::asio::any_io_executor executor() const;
  [[nodiscard]] VirtualClock& clock();
  [[nodiscard]] async::Clock& real_clock();

  // Does all that is ready, moves the virtual clock to the next timer, and so on until the coroutine has ended.
  // Throws std::runtime_error when nothing is left to do (a deadlock) or a limit is passed; the coroutine has
  // then been cancelled. What other tasks have still to do afterwards stays for the next run.
  void run(boost::asio::awaitable<void> task, RunLimits limits = {});
  void run(Body body, RunLimits limits = {});

  // With real input and output, for at most `limit` of real time; the virtual clock moves only by hand, but
  // timers that are due as it stands do fire.
  void run_real(boost::asio::awaitable<void> task, std::chrono::seconds limit = std::chrono::seconds(30));
  void run_real(Body body, std::chrono::seconds limit = std::chrono::seconds(30));

  // Does all that is ready now; time stands still.
  void poll();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Lets everything else that is ready run once before the caller goes on.
[[nodiscard]] boost::asio::awaitable<void> yield();

}  // namespace keelson::testing
