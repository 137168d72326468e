#include "keelson/detail/queue/work_queue.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "keelson/detail/async/notify.hpp"
#include "keelson/detail/metrics/names.hpp"
#include "src/queue/queue_metrics.hpp"
#include "src/queue/queue_policy.hpp"

namespace keelson::queue {

namespace {
// Delays that end at the same time are released in slices, so that the loop is not blocked.
constexpr std::size_t kReleaseSlice = 1000;
}  // namespace

struct WorkQueue::State {
  State(async::Clock& c, metrics::Registry& registry, const std::string& name, RetryBackoff backoff)
      : clock(c), policy(backoff), metrics(registry, name, policy, c) {}

  // A single timer for all delays. It is only set earlier; if it fires too early, it sets itself again.
  void arm() {
    auto due = policy.next_due();
    if (!due || (timer && timer_at <= *due)) return;
    timer_at = *due;
    timer = clock.call_at(*due, [this] { release(); });
  }

  void release() {
    timer.reset();
    auto available = policy.release_due(clock.now(), kReleaseSlice);
    while (available-- > 0 && ready.notify_one()) {
    }
    arm();
  }

  async::Clock& clock;
  QueuePolicy policy;
  QueueMetrics metrics;
  async::Notify ready;
  std::unique_ptr<async::Timer> timer;
  async::TimePoint timer_at;
  std::function<bool()> may_take;
  bool shut_down = false;
  bool is_paused = false;
};

WorkQueue::WorkQueue(async::Clock& clock, metrics::Registry& registry, std::string name, RetryBackoff backoff)
    : state_(std::make_unique<State>(clock, registry, name, backoff)) {}

WorkQueue::~WorkQueue() = default;

void WorkQueue::add(std::string_view key, const AddOptions& options) {
  if (state_->shut_down) return;
  if (state_->policy.add(key, options, state_->clock.now())) state_->ready.notify_one();
}

void WorkQueue::add_after(std::string_view key, async::Duration delay, const AddOptions& options) {
  if (state_->shut_down) return;
  if (delay <= async::Duration(0)) return add(key, options);
  state_->metrics.count_retry();
  state_->policy.add_at(key, options, state_->clock.now() + delay);
  state_->arm();
}

void WorkQueue::add_rate_limited(std::string_view key, const AddOptions& options, async::Duration at_least) {
  if (state_->shut_down) return;
  auto delay = std::max(state_->policy.next_delay(key), at_least);
  add_after(key, delay, options);
}

void WorkQueue::forget(const std::string& key) { state_->policy.forget(key); }
int WorkQueue::retries(const std::string& key) const { return state_->policy.retries(key); }

KeyState WorkQueue::state_of(std::string_view key) const { return state_->policy.state_of(key); }

boost::asio::awaitable<std::optional<Item>> WorkQueue::get() {
  State& state = *state_;
  while (!state.shut_down) {
    const bool may_take = !state.is_paused && (!state.may_take || state.may_take());
    auto item = may_take ? state.policy.pick(state.clock.now()) : std::nullopt;
    if (item) {
      state.metrics.handed_out(item->waited);
      co_return item;
    }
    co_await state.ready.wait();
  }
  co_return std::nullopt;
}

void WorkQueue::done(const std::string& key) {
  auto result = state_->policy.done(key, state_->clock.now());
  state_->metrics.finished(result.worked);
  if (result.available) state_->ready.notify_one();
}

void WorkQueue::shut_down() {
  state_->shut_down = true;
  state_->timer.reset();
  state_->policy.drop_queued();
  state_->ready.notify_all();
}

void WorkQueue::admit_by(std::function<bool()> may_take) { state_->may_take = std::move(may_take); }

void WorkQueue::wake(int workers) {
  auto ready = state_->policy.ready();
  for (; workers > 0 && ready > 0 && state_->ready.notify_one(); --workers) --ready;
}

void WorkQueue::pause() { state_->is_paused = true; }

void WorkQueue::resume() {
  state_->is_paused = false;
  state_->ready.notify_all();
}

bool WorkQueue::is_paused() const { return state_->is_paused; }

std::size_t WorkQueue::in_progress() const { return state_->policy.in_progress(); }
std::size_t WorkQueue::ready() const { return state_->policy.ready(); }
std::size_t WorkQueue::waiting() const { return state_->policy.waiting(); }
QueueSnapshot WorkQueue::snapshot() const { return state_->policy.snapshot(state_->clock.now()); }

}  // namespace keelson::queue
