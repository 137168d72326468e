// The owner of coroutines: spawn, stop, join. Nothing runs outside of one.
//
// A group is a member of a service that has an awaited stop(), or comes from with_task_group; it is
// never a local across an await. Its destructor asserts that it is empty.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <exception>
#include <functional>
#include <memory>
#include <string>

#include "keelson/async/notify.hpp"

namespace keelson::async {

class TaskGroup {
 public:
  explicit TaskGroup(boost::asio::any_io_executor executor);
  TaskGroup(const TaskGroup&) = delete;
  TaskGroup& operator=(const TaskGroup&) = delete;
  ~TaskGroup();

  // Starts `task` on the loop, not within this call. After stop() it is dropped unstarted.
  // An exception other than cancellation that leaves the task is kept for join() to rethrow.
  void spawn(boost::asio::awaitable<void> task);

  // Asks every task to end: terminal cancellation. Returns at once.
  void stop();

  // Waits until the group is empty; rethrows the first exception that a task left behind. The wait itself cannot
  // be cancelled: the tasks are what must end. A cancellation of the caller that comes meanwhile takes effect at its
  // next await; a caller that is cancelled already cannot begin to join (with_task_group can).
  [[nodiscard]] boost::asio::awaitable<void> join();

  // Waits until the group is empty, but can be cancelled: for finish_within(clock, grace, group.drain()) before
  // stop() and join().
  [[nodiscard]] boost::asio::awaitable<void> drain();

  [[nodiscard]] bool empty() const;
  [[nodiscard]] bool stopped() const;
  [[nodiscard]] boost::asio::any_io_executor executor() const;

 private:
  struct State;
  std::shared_ptr<State> state_;  // shared with the completion handlers, which may run last
};

// Runs `body` with a fresh group; however body ends, the group is stopped and joined first.
[[nodiscard]] boost::asio::awaitable<void> with_task_group(
    std::function<boost::asio::awaitable<void>(TaskGroup&)> body);

}  // namespace keelson::async
