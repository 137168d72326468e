#include "src/sandbox/controllers/pass_timer.hpp"

#include <catch2/catch_test_macros.hpp>
#include <chrono>

namespace keelson::sandbox {
namespace {

using std::chrono::milliseconds;

// A clock with a single timer, whose time the test sets, also within a pass.
class SetClock final : public async::Clock {
 public:
  struct Wait final : async::Timer {};

  async::TimePoint now() const override { return now_; }
  async::WallTime wall_now() const override { return {}; }
  std::unique_ptr<async::Timer> call_at(async::TimePoint when, std::function<void()> callback) override {
    due_ = when;
    callback_ = std::move(callback);
    return std::make_unique<Wait>();
  }
  std::unique_ptr<async::Timer> on_wall_set(std::function<void()>) override { return nullptr; }

  void pass(async::Duration duration) { now_ += duration; }
  async::Duration remaining() const { return due_ - now_; }
  void ring() {
    now_ = std::max(now_, due_);
    auto callback = std::exchange(callback_, nullptr);
    callback();
  }

 private:
  async::TimePoint now_{};
  async::TimePoint due_{};
  std::function<void()> callback_;
};

TEST_CASE("a pass that took long delays the next one as long, and a short one does not") {
  SetClock clock;
  async::Duration takes = milliseconds(20);
  PassTimer passes(clock, milliseconds(1), [&] { clock.pass(takes); });
  passes.wake();
  CHECK(clock.remaining() == milliseconds(1));
  clock.ring();

  passes.wake();
  CHECK(clock.remaining() == milliseconds(20));
  takes = {};
  clock.ring();

  passes.wake();
  CHECK(clock.remaining() == milliseconds(1));
}

TEST_CASE("a long pass that wakes the next one delays it, too") {
  SetClock clock;
  PassTimer* timer = nullptr;
  PassTimer passes(clock, milliseconds(1), [&] {
    timer->wake();
    clock.pass(milliseconds(20));
  });
  timer = &passes;
  passes.wake();
  clock.ring();

  CHECK(clock.remaining() == milliseconds(20));
}

TEST_CASE("a pass runs at the earliest of the times for which it is woken") {
  SetClock clock;
  int count = 0;
  PassTimer passes(clock, milliseconds(1), [&] { ++count; });
  passes.wake_after_rejection();
  CHECK(clock.remaining() == kRejectionRetry);
  passes.wake();
  CHECK(clock.remaining() == milliseconds(1));
  passes.wake_after_rejection();
  CHECK(clock.remaining() == milliseconds(1));

  clock.ring();
  CHECK(count == 1);
}

}  // namespace
}  // namespace keelson::sandbox
