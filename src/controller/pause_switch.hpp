// Pauses and resumes a controller at run time: its workers take no key from the queue meanwhile.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/base/log.hpp"
#include "keelson/detail/controller/controller_pause.hpp"
#include "keelson/detail/queue/work_queue.hpp"
#include "keelson/metrics/registry.hpp"

namespace keelson::controller {

class PauseSwitch {
 public:
  // The clock, the registry and the queue must outlive it. keelson_kind_paused exists from now on.
  PauseSwitch(async::Clock& clock, Logger log, metrics::Registry& registry, const std::string& controller,
              queue::WorkQueue& queue);
  PauseSwitch(const PauseSwitch&) = delete;
  PauseSwitch& operator=(const PauseSwitch&) = delete;

  // Running reconciles end. With `time` it resumes by itself. If it is paused already, it gets the new reason and end.
  void pause(std::string reason, std::string user, std::optional<async::Duration> time);
  // False: it is not paused.
  bool resume(const std::string& user);
  [[nodiscard]] const std::optional<ControllerPause>& state() const { return state_; }

 private:
  async::Clock& clock_;
  Logger log_;
  metrics::Gauge& paused_;
  queue::WorkQueue& queue_;
  std::optional<ControllerPause> state_;
  std::unique_ptr<async::Timer> end_;
};

}  // namespace keelson::controller
