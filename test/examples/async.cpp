// The examples of include/keelson/async.
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/async/task_group.hpp"
#include "keelson/detail/async/notify.hpp"
#include "keelson/detail/async/time_slice.hpp"
#include "keelson/detail/async/token_bucket.hpp"

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

// [notify]
class Readiness {
 public:
  boost::asio::awaitable<void> wait() {
    while (!is_ready_) co_await changed_.wait();
  }

  void set() {
    is_ready_ = true;
    changed_.notify_all();
  }

 private:
  bool is_ready_ = false;
  async::Notify changed_;
};
// [end]

void handle(const std::string& piece);

// [time_slice]
boost::asio::awaitable<void> handle_all(async::Clock& clock, std::vector<std::string> pieces) {
  async::TimeSlice slice(clock);
  for (const auto& piece : pieces) {
    handle(piece);
    slice.spend(piece.size());
    if (slice.is_over()) co_await slice.yield();
  }
}
// [end]

// [token_bucket]
// The time until which the caller must wait; nullopt: the operation is counted and begins now.
std::optional<async::TimePoint> take_token(async::TokenBucket& bucket, async::Rate rate, async::TimePoint now) {
  if (bucket.opens_at(rate) > now) return bucket.opens_at(rate);
  bucket.take(rate, now);
  return std::nullopt;
}
// [end]

}  // namespace keelson::examples
