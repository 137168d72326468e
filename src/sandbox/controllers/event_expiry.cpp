#include "src/sandbox/controllers/event_expiry.hpp"

namespace keelson::sandbox {

namespace {

constexpr auto kEventLifetime = std::chrono::hours(1);
constexpr auto kExpiryPeriod = std::chrono::minutes(1);
// This many Events are deleted at once, and the rest after a pause, so that a flood of Events does not delay requests.
constexpr std::size_t kExpiredAtOnce = 500;
constexpr auto kExpiryPause = std::chrono::milliseconds(10);

}  // namespace

EventExpiry::EventExpiry(World& world, Deletes& deletes)
    : world_(world), deletes_(deletes), kind_(world.kinds.find(kube::core_events())) {}

void EventExpiry::hear(const Change& change) {
  if (change.kind != kind_) return;
  const auto key = change.key();
  if (auto place = places_.find(key); place != places_.end()) {
    due_.erase(place->second);
    places_.erase(place);
  }
  if (!change.after) return;
  places_[key] = due_.emplace(due_.end(), world_.clock.now() + kEventLifetime, key);
  arm();
}

void EventExpiry::arm() {
  if (timer_ || due_.empty()) return;
  timer_ =
      world_.clock.call_at(std::max(world_.clock.now() + kExpiryPause, due_.front().first + kExpiryPeriod), [this] {
        timer_.reset();
        expire();
      });
}

void EventExpiry::expire() {
  const auto now = world_.clock.now();
  for (std::size_t i = 0; i < kExpiredAtOnce && !due_.empty() && due_.front().first <= now; ++i) {
    auto key = due_.front().second;
    places_.erase(key);
    due_.pop_front();
    deletes_.remove_quietly(*kind_, key, "Background");
  }
  arm();
}

}  // namespace keelson::sandbox
