#include "src/controller/pause_switch.hpp"

#include <utility>

#include "src/controller/object_view.hpp"

namespace keelson::controller {

std::string ControllerPause::text() const {
  const auto end = until ? " until " + time_text(*until) : std::string();
  return "since " + time_text(since) + " by " + user + end + ": " + reason;
}

PauseSwitch::PauseSwitch(async::Clock& clock, Logger log, metrics::Registry& registry, const std::string& controller,
                         queue::WorkQueue& queue)
    : clock_(clock),
      log_(std::move(log)),
      paused_(registry
                  .gauge("keelson_kind_paused",
                         "1 while the controller is paused at run time, so that no reconcile begins; otherwise 0.",
                         {"controller"})
                  .with({controller})),
      queue_(queue) {}

void PauseSwitch::pause(std::string reason, std::string user, std::optional<async::Duration> time) {
  const auto now = clock_.wall_now();
  const auto since = state_ ? state_->since : now;
  state_ = ControllerPause{std::move(reason), std::move(user), since, std::nullopt};
  end_.reset();
  if (time) {
    state_->until = now + std::chrono::duration_cast<async::WallTime::duration>(*time);
    end_ = clock_.call_at(clock_.now() + *time, [this] { static_cast<void>(resume("the end of its time")); });
  }
  queue_.pause();
  paused_.set(1);
  log_.info("Paused the controller: no reconcile begins until it is resumed",
            {{"user", state_->user},
             {"why", state_->reason},
             {"until", state_->until ? time_text(*state_->until) : "resumed"}});
}

bool PauseSwitch::resume(const std::string& user) {
  if (!state_) return false;
  const auto lasted = clock_.wall_now() - state_->since;
  state_.reset();
  end_.reset();
  queue_.resume();
  paused_.set(0);
  log_.info("Resumed the controller",
            {{"user", user}, {"after", std::chrono::nanoseconds(std::chrono::floor<std::chrono::seconds>(lasted))}});
  return true;
}

}  // namespace keelson::controller
