#include "src/cache/server_outage.hpp"

#include <algorithm>

#include "keelson/detail/async/timeout.hpp"

namespace keelson::cache {

void ServerOutage::unanswered(async::TimePoint begun) {
  if (!heard_ || *heard_ <= begun) is_down_ = true;
}

void ServerOutage::heard() {
  heard_ = clock_.now();
  is_down_ = false;
}

void ServerOutage::answered() {
  const bool was_down = is_down_;
  heard();
  if (!was_down) return;
  last_turn_ = {};  // turns that sleepers have taken in advance
  const auto now = clock_.now();
  if (!ended_ || now - *ended_ >= kQuiet) started_ = now;
  ended_ = now;
  woken_.notify_all();
}

void ServerOutage::recovered() {
  answered();
  woken_.notify_all();
}

bool ServerOutage::may_be_starting() const { return started_ && clock_.now() - *started_ < kStart; }

boost::asio::awaitable<bool> ServerOutage::sleep(async::Duration wait) {
  const auto end = clock_.now() + wait;
  for (;;) {
    auto wake_up = woken_.wait();
    const bool is_woken = co_await async::finish_within(clock_, until_turn(end - clock_.now()), std::move(wake_up));
    if (is_woken) break;
    // Since the turn was taken, another reflector may have heard from the server.
    if (has_turns() || clock_.now() >= end) co_return false;
  }
  const auto delay = std::chrono::duration<double>(kSpread) * random_.unit();
  co_await async::sleep_for(clock_, std::chrono::duration_cast<async::Duration>(delay));
  co_return true;
}

// Turns are kBetweenTries apart. A caller that tries earlier by itself takes none.
async::Duration ServerOutage::until_turn(async::Duration wait) {
  const auto now = clock_.now();
  const auto turn = std::max<async::TimePoint>(last_turn_, now) + kBetweenTries;
  if (!has_turns() || turn >= now + wait) return wait;
  last_turn_ = turn;
  return turn - now;
}

}  // namespace keelson::cache
