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

// A paused controller leaves its share to the others.
bool has_work(const queue::WorkQueue& queue) { return queue.ready() > 0 && !queue.is_paused(); }

}  // namespace

ConcurrencyLimiter::ConcurrencyLimiter(async::Clock& clock, Logger log, metrics::Registry& registry, int workers)
    : clock_(clock), log_(std::move(log)), policy_(std::max(workers, 1)), metrics_(registry, *this) {}

void ConcurrencyLimiter::add(queue::WorkQueue& queue, int workers) {
  queues_.push_back({&queue, static_cast<std::size_t>(workers)});
  queue.admit_by([this, &queue] { return may_take(queue); });
}

void ConcurrencyLimiter::observe(const kube::Answer& answer) {
  const auto now = clock_.now();
  const auto sign = policy_.sign_in(answer, now);
  if (!sign || !policy_.reduce(*sign, in_use(), now)) return;
  metrics_.count(*sign);
  report(*sign);
  if (!growth_) grow_later();
}

void ConcurrencyLimiter::released() {
  if (policy_.is_reduced()) wake(1);
}

int ConcurrencyLimiter::in_use() const {
  std::size_t sum = 0;
  for (const auto& limited : queues_) sum += limited.queue->in_progress();
  return static_cast<int>(sum);
}

// A controller that has its share leaves a free permit to one that has less and could use it. Otherwise the worker that
// has just ended a reconcile would always be the first to take it.
bool ConcurrencyLimiter::may_take(const queue::WorkQueue& queue) const {
  if (!policy_.is_reduced() || queue.in_progress() == 0) return true;
  if (in_use() >= policy_.limit()) return false;
  const auto share = share_of_each();
  return queue.in_progress() < share || std::ranges::none_of(queues_, [&](const Limited& other) {
           return has_work(*other.queue) && other.queue->in_progress() < std::min(share, other.workers);
         });
}

std::size_t ConcurrencyLimiter::share_of_each() const {
  const auto busy = std::ranges::count_if(
      queues_, [](const Limited& limited) { return limited.queue->in_progress() > 0 || has_work(*limited.queue); });
  return static_cast<std::size_t>(policy_.limit() / std::max<std::ptrdiff_t>(busy, 1));
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
// that comes too late waits again.
void ConcurrencyLimiter::wake(int permits) {
  for (const auto& limited : queues_) limited.queue->wake(permits);
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
