#include "keelson/detail/async/notify.hpp"

#include "keelson/detail/base/assert.hpp"
#include "src/async/suspend.hpp"

namespace keelson::async {

Notify::~Notify() { KEELSON_ASSERT(waiters_.empty()); }

boost::asio::awaitable<void> Notify::wait() {
  std::optional<std::list<std::function<void()>>::iterator> place;
  auto begin = [this, &place](std::function<void()> resume) {
    place = waiters_.insert(waiters_.end(), std::move(resume));
  };
  auto cancel = [this, &place] {
    waiters_.erase(*place);
    return OnCancel::kUnwind;
  };
  co_await suspend(begin, cancel);
}

bool Notify::notify_one() {
  if (waiters_.empty()) return false;
  auto resume = std::move(waiters_.front());
  waiters_.pop_front();
  resume();
  return true;
}

void Notify::notify_all() {
  while (notify_one()) {
  }
}

}  // namespace keelson::async
