// The example of include/keelson/async/task_group.hpp.
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <utility>

#include "keelson/async/clock.hpp"
#include "keelson/async/task_group.hpp"

namespace keelson::examples {

// [task_group]
// A service with a loop of its own. Its owner awaits stop() before it destroys the service.
class Ticker {
 public:
  Ticker(async::Clock& clock, boost::asio::any_io_executor loop) : clock_(clock), tasks_(std::move(loop)) {}

  void start() { tasks_.spawn(run()); }

  boost::asio::awaitable<void> stop() {
    tasks_.stop();
    co_await tasks_.join();
  }

 private:
  boost::asio::awaitable<void> run() {
    for (;;) {
      co_await async::sleep_for(clock_, std::chrono::seconds(1));  // stop() ends the loop here
      ++ticks_;
    }
  }

  async::Clock& clock_;
  int ticks_ = 0;
  async::TaskGroup tasks_;
};
// [end]

}  // namespace keelson::examples
