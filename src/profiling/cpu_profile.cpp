#include "keelson/detail/profiling/cpu_profile.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <ctime>
#include <utility>

#include "keelson/detail/base/text.hpp"
#include "src/profiling/process_image.hpp"
#include "src/profiling/profile_writer.hpp"
#include "src/profiling/stack_table.hpp"
#include "src/profiling/stack_walk.hpp"

namespace keelson::profiling {

namespace {

constexpr std::int64_t kPeriodNanos = 1'000'000'000 / kCpuSamplesPerSecond;

// What the signal handler writes.
struct CpuSamples {
  // `ticks` is the number of periods since the last sample: several if the signal was late.
  void take(const ucontext_t& context, double ticks) noexcept {
    const auto depth = walk_stack(interrupted_address(context), frames);
    auto* entry = table.find_or_add({frames.data(), depth});
    (entry == nullptr ? lost : entry->values[0]) += ticks;
  }

  StackTable table;
  std::array<std::uintptr_t, limits::kStackFrames> frames{};
  double lost = 0;
};

// The handler of a signal has no argument of ours. Only the profiled thread receives the signal and changes this
// pointer. It is null between profiles: the handler stays installed, because a late SIGPROF would end the process.
CpuSamples* volatile current_samples = nullptr;

void take_sample(int, siginfo_t* info, void* context) {
  auto* samples = current_samples;
  if (samples == nullptr || info->si_code != SI_TIMER) return;
  const int error_of_interrupted = errno;
  samples->take(*static_cast<const ucontext_t*>(context), 1.0 + info->si_overrun);
  errno = error_of_interrupted;
}

Error timer_error(const char* what) {
  return transport_error(std::string("cpu profiling: ") + what + ": " + base::words_of_errno(errno));
}

// The CPU time of this thread, signaled to this thread.
Result<timer_t> create_timer() {
  struct sigaction action {};
  action.sa_sigaction = take_sample;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  if (::sigaction(SIGPROF, &action, nullptr) != 0) return timer_error("sigaction");
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = SIGPROF;
  event._sigev_un._tid = static_cast<pid_t>(::syscall(SYS_gettid));
  timer_t timer{};
  if (::timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) != 0) return timer_error("timer_create");
  return timer;
}

}  // namespace

struct CpuProfile::State {
  // Ends sampling. A signal that is pending finds no samples.
  void stop() {
    if (current_samples != &samples) return;
    ::timer_delete(timer);
    current_samples = nullptr;
  }

  explicit State(async::Clock& the_clock) : clock(the_clock), started(clock.now()), started_wall(clock.wall_now()) {}

  async::Clock& clock;
  async::TimePoint started;
  async::WallTime started_wall;
  timer_t timer{};
  CpuSamples samples;
};

CpuProfile::CpuProfile(std::unique_ptr<State> state) : state_(std::move(state)) {}

CpuProfile::~CpuProfile() { state_->stop(); }

Result<std::unique_ptr<CpuProfile>> CpuProfile::start(async::Clock& clock) {
  if (current_samples != nullptr) return invalid_error("cpu profiling already in use");
  prepare_walks();
  auto timer = create_timer();
  if (!timer) return std::move(timer).error();
  auto state = std::make_unique<State>(clock);
  state->timer = *timer;
  current_samples = &state->samples;
  itimerspec times{};
  times.it_interval.tv_nsec = kPeriodNanos;
  times.it_value = times.it_interval;
  const bool is_set = ::timer_settime(state->timer, 0, &times, nullptr) == 0;
  auto failure = timer_error("timer_settime");
  std::unique_ptr<CpuProfile> profile(new CpuProfile(std::move(state)));
  if (!is_set) return failure;
  return profile;
}

std::string CpuProfile::finish() {
  state_->stop();
  auto& samples = state_->samples;
  constexpr std::array<ValueType, 2> kTypes{{{"samples", "count"}, {"cpu", "nanoseconds"}}};
  ProfileWriter writer(kTypes, kTypes[1], kPeriodNanos);
  writer.set_time(state_->started_wall, state_->clock.now() - state_->started);
  const auto values_of = [](double ticks) {
    const auto count = std::llround(ticks);
    return std::array<std::int64_t, 2>{count, count * kPeriodNanos};
  };
  for (const auto& entry : samples.table.entries()) {
    writer.add(samples.table.stack_of(entry), values_of(entry.values[0]));
  }
  if (samples.lost > 0) writer.add_named("[lost samples]", values_of(samples.lost));
  return writer.finish(code_mappings());
}

}  // namespace keelson::profiling
