// The timer of a controller in the server's process: runs its pass a short time after a change.
//
// Passes take at most half of the time, so that a client whose writes cause many of them cannot stop the server: the
// next one waits at least as long as the last one took.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

#include "keelson/async/clock.hpp"

namespace keelson::sandbox {

// The pause after a rejected write, whose cause may be gone by then: long enough that an object that is never accepted
// costs little.
inline constexpr auto kRejectionRetry = std::chrono::seconds(5);

class PassTimer {
 public:
  // `delay` is the time from a change to the pass, so that a pass is about several changes.
  PassTimer(async::Clock& clock, async::Duration delay, std::function<void()> pass)
      : clock_(clock), delay_(delay), pass_(std::move(pass)) {}
  PassTimer(const PassTimer&) = delete;
  PassTimer& operator=(const PassTimer&) = delete;

  // Runs the pass after the delay.
  void wake() { wake_at(clock_.now() + delay_); }
  void wake_after_rejection() { wake_at(clock_.now() + kRejectionRetry); }
  // Runs the pass at this time, or earlier if it is due anyway.
  void wake_at(async::TimePoint when) {
    if (!timer_ || when < at_) set(when);
  }

 private:
  void set(async::TimePoint when) {
    at_ = std::max(when, earliest_);
    timer_ = clock_.call_at(at_, [this] { run(); });
  }

  void run() {
    timer_.reset();
    const auto begun = clock_.now();
    pass_();
    const auto ended = clock_.now();
    earliest_ = ended + (ended - begun);
    // The writes of a pass may have woken the next one.
    if (timer_ && at_ < earliest_) set(earliest_);
  }

  async::Clock& clock_;
  async::Duration delay_;
  std::function<void()> pass_;
  std::unique_ptr<async::Timer> timer_;
  async::TimePoint at_{};
  async::TimePoint earliest_{};
};

}  // namespace keelson::sandbox
