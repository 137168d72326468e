// CpuProfile: the functions that the CPU executes, sampled by a signal.
//
// While it exists, the kernel sends SIGPROF to the thread that started the profile, after each hundredth of a second of
// that thread's CPU time, and the signal handler stores the interrupted stack. The thread of the event loop is what
// matters in this process: Asio's thread for name lookups is not sampled. An idle loop uses no CPU and has no samples.
//
// The loop continues meanwhile: system calls are restarted (SA_RESTART), and epoll_wait, which is not, returns to the
// loop. The handler takes some microseconds for each sample, and neither allocates nor locks.
//
// A coroutine that was suspended is resumed by the loop, so its stack has the loop below it, not the coroutines that
// wait for it.
//
// Ownership: the caller owns the profile; the clock must outlive it. start(), finish() and the destructor must be
// called by the same thread.
// Errors: kInvalid "cpu profiling already in use", as Go words it: there is one signal handler. kTransport if the
// kernel has no timer.
//
// Example (test/examples/profiling.cpp#cpu_profile):
//   Task<std::string> profile_a_minute(async::Clock& clock) {
//     KEELSON_CO_LET(auto profile, profiling::CpuProfile::start(clock));
//     co_await async::sleep_for(clock, std::chrono::minutes(1));
//     co_return profile->finish();
//   }
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/base/result.hpp"

namespace keelson::profiling {

// Go's runtime/pprof samples at this rate, and says why: it gives useful data and costs little, and tools expect it.
inline constexpr int kCpuSamplesPerSecond = 100;

class CpuProfile {
 public:
  [[nodiscard]] static Result<std::unique_ptr<CpuProfile>> start(async::Clock& clock);
  CpuProfile(const CpuProfile&) = delete;
  CpuProfile& operator=(const CpuProfile&) = delete;
  // Ends the profile, if finish() has not.
  ~CpuProfile();

  // Ends the profile and returns it in pprof's format, as protobuf without compression. Each sample counts itself and
  // the CPU time that it stands for; samples for which there was no room are a function "[lost samples]". Call it once.
  [[nodiscard]] std::string finish();

 private:
  struct State;
  explicit CpuProfile(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace keelson::profiling
