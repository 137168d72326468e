// "Something changed": coroutines wait, anyone on the loop wakes them. No value, no memory of old calls.
//
// Must outlive its waiters. Terminal cancellation unwinds a waiter.
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

  // Resumes when notify_all or a notify_one that chose this waiter is called after this point.
  [[nodiscard]] boost::asio::awaitable<void> wait();

  // Wakes the waiter that has waited longest. True if there was one.
  bool notify_one();
  void notify_all();
  [[nodiscard]] std::size_t waiters() const { return waiters_.size(); }

 private:
  std::list<std::function<void()>> waiters_;
};

}  // namespace keelson::async
