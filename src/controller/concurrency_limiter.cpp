#include "src/controller/concurrency_limiter.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace keelson::controller {

using namespace std::chrono_literals;

namespace {

constexpr async::Duration kBetweenGrowth = 1s;
// An overload that comes and goes is reported once in this time.
constexpr async::Duration kBetweenReports = 1min;

}  // namespace

ConcurrencyLimiter::ConcurrencyLimiter(async::Clock& clock, Logger log, metrics::Registry& registry, int workers)
    : clock_(clock), log_(std::move(log)), policy_(std::max(workers, 1)), metrics_(registry, *this) {}

void ConcurrencyLimiter::add(queue::WorkQueue& queue) {
  queues_.push_back(&queue);
  queue.admit_by([this, &queue] { return may_take(queue); });
}

void ConcurrencyLimiter::observe(const kube::Answer& answer) {
  const auto now = clock_.now();
  const auto sign = policy_.sign_in(answer, now);
  if (!sign || !policy_.reduce(in_use(), now)) return;
  metrics_.count(*sign);
  report(*sign);
  if (!growth_) grow_later();
}

void ConcurrencyLimiter::released() {
  if (policy_.is_reduced()) wake(1);
}

int ConcurrencyLimiter::in_use() const {
  std::size_t sum = 0;
  for (const auto* queue : queues_) sum += queue->in_progress();
  return static_cast<int>(sum);
}

bool ConcurrencyLimiter::may_take(const queue::WorkQueue& queue) const {
  return !policy_.is_reduced() || queue.in_progress() == 0 || in_use() < policy_.limit();
}

void ConcurrencyLimiter::grow_later() {
  growth_ = clock_.call_at(clock_.now() + kBetweenGrowth, [this] { grow(); });
}

void ConcurrencyLimiter::grow() {
  growth_.reset();
  const int before = policy_.limit();
  if (policy_.grow(clock_.now())) wake(policy_.limit() - before);
  if (policy_.is_reduced()) return grow_later();
  if (std::exchange(is_reported_, false)) {
    log_.info("The API server is no longer overloaded, all workers reconcile again", {{"workers", policy_.workers()}});
  }
}

// All queues learn of each permit, because a queue whose worker is woken may have no key left when it resumes. A worker
// that comes too late waits again. The first of them changes, so that no controller always comes last.
void ConcurrencyLimiter::wake(int permits) {
  if (queues_.empty()) return;
  std::rotate(queues_.begin(), queues_.begin() + 1, queues_.end());
  for (auto* queue : queues_) queue->wake(permits);
}

void ConcurrencyLimiter::report(Overload sign) {
  const auto now = clock_.now();
  if (is_reported_ || (reported_at_ && now - *reported_at_ < kBetweenReports)) return;
  reported_at_ = now;
  is_reported_ = true;
  log_.info("The API server is overloaded, fewer objects are reconciled at once",
            {{"reason", reason_of(sign)}, {"limit", policy_.limit()}, {"workers", policy_.workers()}});
}

}  // namespace keelson::controller
