#include "keelson/detail/profiling/cpu_profile.hpp"

#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <ctime>

#include "keelson/detail/sandbox/loop/virtual_clock.hpp"
#include "test/unit/profiling/decoded_profile.hpp"

namespace keelson::profiling {
namespace {

double cpu_seconds() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

std::uintptr_t call_of_use = 0;

// Uses the CPU for as long; the call of this function is stored in `call_of_use`.
[[gnu::noinline]] void use_cpu(double seconds) {
  call_of_use = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)) - 1;
  const auto end = cpu_seconds() + seconds;
  while (cpu_seconds() < end) {
    for (volatile int turn = 0; turn < 10'000;) turn = turn + 1;
  }
}

[[gnu::noinline]] void use_cpu_below(double seconds) {
  use_cpu(seconds);
  asm volatile("");  // not a tail call
}

TEST_CASE("a CPU profile has samples of the function that uses the CPU, with its callers") {
  sandbox::loop::VirtualClock clock;
  auto profile = CpuProfile::start(clock);
  REQUIRE(profile);

  use_cpu_below(0.5);
  const auto decoded = decode_profile((*profile)->finish());

  CHECK(decoded.types == std::vector<std::string>{"samples/count", "cpu/nanoseconds"});
  CHECK(decoded.period == 10'000'000);
  const auto totals = decoded.totals();
  // 50 periods; the kernel may count CPU time in ticks of 4 ms or 10 ms.
  CHECK(totals[0] >= 20);
  CHECK(totals[0] <= 60);
  CHECK(totals[1] == totals[0] * 10'000'000);
  std::int64_t in_function = 0;
  for (const auto& sample : decoded.samples) {
    if (sample.has(call_of_use)) in_function += sample.values[0];
  }
  CHECK(in_function * 10 >= totals[0] * 9);
}

TEST_CASE("an idle thread has no samples") {
  sandbox::loop::VirtualClock clock;
  auto profile = CpuProfile::start(clock);
  REQUIRE(profile);

  CHECK(decode_profile((*profile)->finish()).totals()[0] <= 1);
}

TEST_CASE("only one CPU profile is in progress, and another can begin after its end") {
  sandbox::loop::VirtualClock clock;
  auto first = CpuProfile::start(clock);
  REQUIRE(first);

  const auto second = CpuProfile::start(clock);
  REQUIRE(!second);
  CHECK(second.error().message() == "cpu profiling already in use");
  first->reset();

  CHECK(CpuProfile::start(clock));
}

TEST_CASE("a signal after the end of a profile changes nothing") {
  sandbox::loop::VirtualClock clock;
  auto profile = CpuProfile::start(clock);
  REQUIRE(profile);
  profile->reset();

  CHECK(std::raise(SIGPROF) == 0);
}

}  // namespace
}  // namespace keelson::profiling
