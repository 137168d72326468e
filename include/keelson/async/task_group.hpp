// TaskGroup: the owner of coroutines, with spawn, stop and join. Every coroutine is awaited or belongs to a group.
//
// Room `async` has time and lifetimes on the event loop: the clock, task groups, timeouts, notifications, signals.
//
// Threads: a program has one loop on one thread. Nothing here is thread-safe, and nothing may block.
//
// Ownership: a group is a member of a service with an awaited stop(), or comes from with_task_group(). It is never a
// local variable across an await, because its destructor asserts that it is empty. A task may refer to members declared
// before the group, and to anything else that outlives it.
//
// Cancellation: stop() sends terminal cancellation to each task. Its current wait ends, and the task unwinds by an
// exception (is_cancelled.hpp), so destructors run but cannot await. Only join() and the functions of timeout.hpp
// absorb cancellation.
//
// Example (test/examples/async.cpp#task_group):
//   // A service with a loop of its own. Its owner awaits stop() before it destroys the service.
//   class Ticker {
//    public:
//     Ticker(async::Clock& clock, boost::asio::any_io_executor loop) : clock_(clock), tasks_(std::move(loop)) {}
//
//     void start() { tasks_.spawn(run()); }
//
//     boost::asio::awaitable<void> stop() {
//       tasks_.stop();
//       co_await tasks_.join();
//     }
//
//    private:
//     boost::asio::awaitable<void> run() {
//       for (;;) {
//         co_await async::sleep_for(clock_, std::chrono::seconds(1));  // stop() ends the loop here
//         ++ticks_;
//       }
//     }
//
//     async::Clock& clock_;
//     int ticks_ = 0;
//     async::TaskGroup tasks_;
//   };
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <exception>
#include <functional>
#include <memory>
#include <string>

#include "keelson/detail/async/notify.hpp"

namespace keelson::async {

class TaskGroup {
 public:
  // `executor` is the executor of the loop, which must outlive the group.
  explicit TaskGroup(boost::asio::any_io_executor executor);
  TaskGroup(const TaskGroup&) = delete;
  TaskGroup& operator=(const TaskGroup&) = delete;
  ~TaskGroup();

  // Starts `task` from the loop, not inside this call. After stop() the task is destroyed without having started.
  // join() rethrows the first exception of a task, except cancellation.
  void spawn(boost::asio::awaitable<void> task);

  // Sends terminal cancellation to every task, and returns immediately. A task may call it on its own group.
  void stop();

  // Waits until the group is empty, and rethrows the first exception of a task. The wait cannot be canceled, because
  // the tasks must end first: a cancellation during the wait takes effect at the caller's next await. If the caller
  // is already canceled, join() throws at once; use with_task_group().
  [[nodiscard]] boost::asio::awaitable<void> join();

  // Waits until the group is empty, and can be canceled: `finish_within(clock, grace, group.drain())` gives tasks a
  // grace period before stop() and join().
  [[nodiscard]] boost::asio::awaitable<void> drain();

  [[nodiscard]] bool empty() const;
  [[nodiscard]] bool stopped() const;
  [[nodiscard]] boost::asio::any_io_executor executor() const;

 private:
  struct State;
  std::shared_ptr<State> state_;  // shared with the completion handlers, which may run last
};

// Runs `body` with a new group. However `body` ends, the group is stopped and joined before this returns, even if the
// caller is canceled. It rethrows the exception of `body`, or else the first exception of a task.
[[nodiscard]] boost::asio::awaitable<void> with_task_group(
    std::function<boost::asio::awaitable<void>(TaskGroup&)> body);

}  // namespace keelson::async
