// The clock of a process that can be paused: it returns the real time, but its timers wait until the process resumes.
#pragma once

#include <deque>
#include <functional>
#include <memory>

#include "keelson/async/clock.hpp"
#include "src/sandbox/simulation/condition.hpp"

namespace keelson::sandbox {

class StoppableClock final : public async::Clock {
 public:
  StoppableClock(async::Clock& inner, const ReplicaCondition& condition) : inner_(inner), condition_(condition) {}
  [[nodiscard]] async::TimePoint now() const override { return inner_.now(); }
  [[nodiscard]] async::WallTime wall_now() const override { return inner_.wall_now(); }
  [[nodiscard]] std::unique_ptr<async::Timer> call_at(async::TimePoint when, std::function<void()> callback) override;
  [[nodiscard]] std::unique_ptr<async::Timer> on_wall_set(std::function<void()> callback) override {
    return inner_.on_wall_set(std::move(callback));
  }
  // Calls the timers that have waited.
  void resume();

 private:
  struct Call {
    std::function<void()> callback;
    std::unique_ptr<async::Timer> timer;
  };
  void arm(const std::shared_ptr<Call>& call, async::TimePoint when);

  async::Clock& inner_;
  const ReplicaCondition& condition_;
  std::deque<std::weak_ptr<Call>> held_;
};

}  // namespace keelson::sandbox
