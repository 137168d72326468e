// Notify: coroutines wait for a change, and code on the loop wakes them.
//
// It carries no value and does not remember calls, so a waiter checks its condition in a loop.
//
// Example (test/examples/async.cpp#notify):
//   class Readiness {
//    public:
//     boost::asio::awaitable<void> wait() {
//       while (!is_ready_) co_await changed_.wait();
//     }
//
//     void set() {
//       is_ready_ = true;
//       changed_.notify_all();
//     }
//
//    private:
//     bool is_ready_ = false;
//     async::Notify changed_;
//   };
//
// There is a single thread, so nothing changes between the check and the wait. A Notify must outlive its waiters, which
// its destructor asserts. Terminal cancellation unwinds a waiter; a later notify_one() wakes another one.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <functional>
#include <list>
#include <optional>

namespace keelson::async {

class Notify {
 public:
  Notify() = default;
  Notify(const Notify&) = delete;
  Notify& operator=(const Notify&) = delete;
  ~Notify();

  // Suspends until notify_all(), or a notify_one() that selects this waiter, is called.
  [[nodiscard]] boost::asio::awaitable<void> wait();

  // Wakes the waiter that has waited longest; false if there is none. The waiter resumes from the loop, not inside this
  // call.
  bool notify_one();
  // Wakes all current waiters. A waiter that waits again after it resumes needs another call.
  void notify_all();
  [[nodiscard]] std::size_t waiters() const { return waiters_.size(); }

 private:
  std::list<std::function<void()>> waiters_;
};

}  // namespace keelson::async
