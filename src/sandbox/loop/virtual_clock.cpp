#include "keelson/detail/sandbox/loop/virtual_clock.hpp"

#include <algorithm>

namespace keelson::sandbox::loop {

// Removes its callback if it is destroyed before its time.
class VirtualTimer final : public async::Timer {
 public:
  VirtualTimer(std::weak_ptr<VirtualClock::State> state, VirtualClock::State::Key key)
      : state_(std::move(state)), key_(key) {}
  VirtualTimer(const VirtualTimer&) = delete;
  VirtualTimer& operator=(const VirtualTimer&) = delete;
  ~VirtualTimer() override {
    auto state = state_.lock();
    if (!state) return;
    // The callback may own the owner of this timer, so it is destroyed only after the map is consistent again.
    auto call = state->calls.extract(key_);
  }

 private:
  std::weak_ptr<VirtualClock::State> state_;
  VirtualClock::State::Key key_;
};

class VirtualWallWatch final : public async::Timer {
 public:
  VirtualWallWatch(std::weak_ptr<VirtualClock::State> state, std::uint64_t number)
      : state_(std::move(state)), number_(number) {}
  VirtualWallWatch(const VirtualWallWatch&) = delete;
  VirtualWallWatch& operator=(const VirtualWallWatch&) = delete;
  ~VirtualWallWatch() override {
    if (auto state = state_.lock()) state->on_wall_set.erase(number_);
  }

 private:
  std::weak_ptr<VirtualClock::State> state_;
  std::uint64_t number_;
};

VirtualClock::VirtualClock() : state_(std::make_shared<State>()) {
  constexpr std::chrono::sys_days kFirstDay = std::chrono::year(2026) / 1 / 1;
  state_->now = async::TimePoint(std::chrono::hours(1));
  set_wall(kFirstDay);
}

async::TimePoint VirtualClock::now() const { return state_->now; }

async::WallTime VirtualClock::wall_now() const {
  return async::WallTime(state_->now.time_since_epoch() + state_->wall_offset);
}

void VirtualClock::set_wall(async::WallTime wall) {
  state_->wall_offset = wall.time_since_epoch() - state_->now.time_since_epoch();
  for (const auto& [number, callback] : state_->on_wall_set) {
    State::Key key{state_->now, state_->asked++};
    state_->calls.emplace(key, [weak = std::weak_ptr(state_), number = number] {
      auto state = weak.lock();
      if (!state || !state->on_wall_set.contains(number)) return;
      auto call = state->on_wall_set.at(number);
      call();
    });
  }
}

std::unique_ptr<async::Timer> VirtualClock::on_wall_set(std::function<void()> callback) {
  auto number = state_->asked++;
  state_->on_wall_set.emplace(number, std::move(callback));
  return std::make_unique<VirtualWallWatch>(state_, number);
}

std::unique_ptr<async::Timer> VirtualClock::call_at(async::TimePoint when, std::function<void()> callback) {
  State::Key key{when, state_->asked++};
  state_->calls.emplace(key, std::move(callback));
  return std::make_unique<VirtualTimer>(state_, key);
}

void VirtualClock::advance(async::Duration step) {
  auto until = state_->now + step;
  call_due(until);
  state_->now = until;
}

bool VirtualClock::advance_to_next() {
  auto next = next_timer();
  if (!next) return false;
  call_due(std::max(*next, state_->now));
  return true;
}

std::optional<async::TimePoint> VirtualClock::next_timer() const {
  if (state_->calls.empty()) return std::nullopt;
  return state_->calls.begin()->first.first;
}

std::size_t VirtualClock::timers() const { return state_->calls.size(); }

void VirtualClock::call_due(async::TimePoint until) {
  // Timers that are created by callbacks of this round wait for the next one: a delay of zero would never end
  // otherwise.
  auto asked_before = state_->asked;
  for (;;) {
    auto& calls = state_->calls;
    auto first = calls.begin();
    while (first != calls.end() && first->first.first <= until && first->first.second >= asked_before) ++first;
    if (first == calls.end() || first->first.first > until) return;
    auto call = calls.extract(first);
    state_->now = std::max(state_->now, call.key().first);
    call.mapped()();
  }
}

}  // namespace keelson::sandbox::loop
