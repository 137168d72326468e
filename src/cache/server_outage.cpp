#include "src/cache/server_outage.hpp"

#include <algorithm>

#include "keelson/async/timeout.hpp"

namespace keelson::cache {

void ServerOutage::answered() {
  if (!is_down_) return;
  is_down_ = false;
  last_turn_ = {};  // turns that sleepers have taken in advance
  ended_ = clock_.now();
  woken_.notify_all();
}

void ServerOutage::recovered() {
  answered();
  woken_.notify_all();
}

bool ServerOutage::may_be_starting() const { return is_down_ || (ended_ && clock_.now() - *ended_ < kStart); }

boost::asio::awaitable<bool> ServerOutage::sleep(async::Duration wait) {
  auto wake_up = woken_.wait();
  const bool is_woken = co_await async::finish_within(clock_, until_turn(wait), std::move(wake_up));
  if (!is_woken) co_return false;
  const auto delay = std::chrono::duration<double>(kSpread) * random_.unit();
  co_await async::sleep_for(clock_, std::chrono::duration_cast<async::Duration>(delay));
  co_return true;
}

// Turns are kBetweenTries apart. A caller that tries earlier by itself takes none.
async::Duration ServerOutage::until_turn(async::Duration wait) {
  const auto now = clock_.now();
  const auto turn = std::max<async::TimePoint>(last_turn_, now) + kBetweenTries;
  if (!is_down_ || turn >= now + wait) return wait;
  last_turn_ = turn;
  return turn - now;
}

}  // namespace keelson::cache
