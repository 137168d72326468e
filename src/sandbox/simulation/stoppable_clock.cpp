#include "src/sandbox/simulation/stoppable_clock.hpp"

#include <utility>

namespace keelson::sandbox {

namespace {

class HeldTimer final : public async::Timer {
 public:
  explicit HeldTimer(std::shared_ptr<void> call) : call_(std::move(call)) {}

 private:
  std::shared_ptr<void> call_;
};

}  // namespace

std::unique_ptr<async::Timer> StoppableClock::call_at(async::TimePoint when, std::function<void()> callback) {
  auto call = std::make_shared<Call>(Call{std::move(callback), nullptr});
  arm(call, when);
  return std::make_unique<HeldTimer>(std::move(call));
}

void StoppableClock::arm(const std::shared_ptr<Call>& call, async::TimePoint when) {
  call->timer = inner_.call_at(when, [this, weak = std::weak_ptr(call)] {
    auto due = weak.lock();
    if (!due) return;
    if (condition_.is_paused) return held_.push_back(weak);
    auto callback = due->callback;
    callback();
  });
}

void StoppableClock::resume() {
  auto held = std::exchange(held_, {});
  for (const auto& weak : held) {
    if (auto call = weak.lock()) arm(call, inner_.now());
  }
}

}  // namespace keelson::sandbox
