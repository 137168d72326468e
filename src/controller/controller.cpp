#include "src/controller/controller.hpp"

#include <boost/asio/use_awaitable.hpp>
#include <exception>
#include <utility>

#include "keelson/detail/async/is_cancelled.hpp"
#include "keelson/detail/async/notify.hpp"
#include "keelson/detail/async/timeout.hpp"
#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/controller/definition_parts.hpp"
#include "src/controller/dry_run_client.hpp"
#include "src/controller/failure_policy.hpp"

namespace keelson::controller {
namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

// After this time controller-runtime gives up; Keelson logs the cache and continues to wait.
constexpr async::Duration kCacheSyncTimeout = 2min;

// When all objects are queued, the loop yields after so many of them.
constexpr std::size_t kPortion = 1000;
constexpr async::Duration kPortionPause = 1ms;

Logger controller_logger(const Context& context, const Definition& definition) {
  const auto& resource = definition.resource();
  return context.log.with(
      {{"controller", definition.name()}, {"controllerGroup", resource.group}, {"controllerKind", resource.kind}});
}

Context of(const Definition& definition, const Context& context) {
  auto own = context;
  own.flags = with_defaults(definition.parts().flags, context.flags);
  own.definition = &definition;
  return own;
}

OwnHistory history_of(ReconcileHistory* history) {
  if (history == nullptr) return {};
  return {history, history->add_controller()};
}

// Marks a key as being reconciled while it lives. Its destructor runs even if the reconcile is canceled.
class Working {
 public:
  Working(queue::WorkQueue& queue, metrics::Gauge& active, ConcurrencyLimiter* limiter, std::string key)
      : queue_(queue), active_(active), limiter_(limiter), key_(std::move(key)) {
    active_.add(1);
  }
  Working(const Working&) = delete;
  Working& operator=(const Working&) = delete;
  ~Working() {
    queue_.done(key_);
    active_.add(-1);
    if (limiter_ != nullptr) limiter_->released();
  }

 private:
  queue::WorkQueue& queue_;
  metrics::Gauge& active_;
  ConcurrencyLimiter* limiter_;
  std::string key_;
};

}  // namespace

int worker_count(const Definition& definition, const ControllerOptions& options, bool is_dry_run) {
  // The writes of a dry run are attributed to the object that is being reconciled.
  if (is_dry_run) return 1;
  return definition.parts().settings.max_concurrent_reconciles.value_or(options.max_concurrent_reconciles);
}

std::unique_ptr<Controller> make_controller(asio::any_io_executor executor, Context& context,
                                            const Definition& definition, ControllerOptions options) {
  return std::make_unique<RunningController>(std::move(executor), context, definition, options);
}

RunningController::RunningController(asio::any_io_executor executor, Context& context, const Definition& definition,
                                     ControllerOptions options, SharedParts shared)
    : history_(history_of(shared.history)),
      context_(of(definition, context)),
      definition_(definition),
      options_(options),
      log_(controller_logger(context, definition)),
      limiter_(shared.limiter),
      queue_(context.clock, context.registry, definition.name(), definition.parts().settings.backoff),
      pauses_(context.clock, log_, context.registry, definition.name(), queue_),
      sources_(
          context.clock, context.cache, definition, queue_, context.client.operator_name(),
          [this](const Panic& panic) { report(panic); }, history_),
      reconciler_(make_reconciler(definition, context_)),
      observed_{context_, definition_, log_, queue_, notes_, pace_, sources_.blocked(), history_, shared.tracer},
      slice_(context.clock),
      starter_(executor),
      workers_(executor) {
  options_.max_concurrent_reconciles = worker_count(definition, options, context_.is_dry_run());
  if (limiter_ != nullptr) limiter_->add(queue_, options_.max_concurrent_reconciles);
  KEELSON_ASSERT(options_.max_concurrent_reconciles > 0);
  for (const auto& channel : definition.parts().channels) channels_.emplace_back(channel);
}

Task<void> RunningController::start() {
  metrics_.emplace(context_.registry, definition_.name(), options_.max_concurrent_reconciles);
  sources_.open();
  starter_.spawn(begin());
  co_return Result<void>();
}

asio::awaitable<void> RunningController::stop() {
  if (metrics_) log_.info("Shutdown signal received, waiting for all workers to finish");
  queue_.shut_down();
  starter_.stop();
  co_await starter_.join();
  co_await workers_.join();
  if (metrics_) log_.info("All workers finished");
}

asio::awaitable<void> RunningController::begin() {
  for (const auto& source : sources_.names()) log_.info("Starting EventSource", {{"source", source}});
  for (std::size_t i = 0; i < channels_.size(); ++i) log_.info("Starting EventSource", {{"source", "channel source"}});
  log_.info("Starting Controller");
  co_await queue_known();
  co_await wait_for_caches();
  co_await open_channels();
  log_.info("Starting workers", {{"worker count", options_.max_concurrent_reconciles}});
  for (int worker = 0; worker < options_.max_concurrent_reconciles; ++worker) workers_.spawn(work());
  if (definition_.parts().reconciles_on_clock_jump) starter_.spawn(follow_wall_clock());
}

// Queues the objects that a standby's caches already have, because their events were not queued.
asio::awaitable<void> RunningController::queue_known() {
  for (const auto& subscription : sources_.subscriptions()) {
    auto objects = subscription.informer.list();
    for (std::size_t place = 0; place < objects.size(); ++place) {
      cache::Event event;
      event.after = objects[place];
      event.initial_list = true;
      sources_.tell(subscription, event);
      if (place % kPortion == kPortion - 1) co_await async::sleep_for(context_.clock, kPortionPause);
    }
  }
}

asio::awaitable<void> RunningController::follow_wall_clock() {
  async::Notify changed;
  bool was_set = false;
  auto watch = context_.clock.on_wall_set([&changed, &was_set] {
    was_set = true;
    changed.notify_all();
  });
  for (;;) {
    while (!was_set) co_await changed.wait();
    was_set = false;
    log_.info("The wall clock was set, reconciling all objects");
    co_await queue_all("wall clock set");
  }
}

asio::awaitable<void> RunningController::queue_all(std::string reason) {
  auto objects = context_.informer(definition_.resource()).list();
  for (std::size_t place = 0; place < objects.size(); ++place) {
    queue_.add(objects[place].key().text(), {.priority = queue::kLowPriority, .reason = reason});
    if (place % kPortion == kPortion - 1) co_await async::sleep_for(context_.clock, kPortionPause);
  }
}

// Called after the caches have synced: before that, an object would seem not to exist.
asio::awaitable<void> RunningController::open_channels() {
  bool has_overflowed = false;
  for (auto& channel : channels_) {
    const auto stored = channel.open([this](const kube::Key& key, const std::string& reason) {
      queue_.add(key.text(), {.priority = 0, .reason = reason});
    });
    for (const auto& key : stored.keys) queue_.add(key.text(), {.priority = 0, .reason = "channel"});
    has_overflowed = has_overflowed || stored.has_overflowed;
  }
  if (!has_overflowed) co_return;
  log_.info("A channel received more keys before the start than it stores, reconciling all objects");
  co_await queue_all("channel");
}

asio::awaitable<void> RunningController::wait_for_caches() {
  for (;;) {
    auto synced = co_await async::finish_within(context_.clock, kCacheSyncTimeout,
                                                context_.cache.wait_for_sync(sources_.informers()));
    if (synced) co_return;
    report_unsynced();
  }
}

void RunningController::report_unsynced() const {
  for (const cache::Informer* informer : sources_.informers()) {
    if (informer->has_synced()) continue;
    const auto& resource = informer->resource();
    auto problem = informer->problem();
    auto error = timeout_error("timed out waiting for cache to be synced for kind source: *" + resource.version + "." +
                               resource.kind + (problem.empty() ? "" : ": " + problem));
    log_.error(error, "Could not wait for Cache to sync", {{"source", resource.qualified_plural()}});
  }
}

// Passes that send no request, as after a start with children that have their desired state, never wait. Without the
// slice, which all workers share, they would occupy the loop until the queue is empty.
asio::awaitable<void> RunningController::work() {
  for (;;) {
    auto item = co_await queue_.get();
    if (!item) co_return;
    Working working(queue_, metrics_->active_workers, limiter_, item->key);
    if (slice_.is_over()) co_await slice_.yield();
    co_await process(std::move(*item));
  }
}

asio::awaitable<void> RunningController::process(queue::Item item) {
  ReconcileObserver observer(observed_, *metrics_, item);
  auto attempt = observer.began();
  const auto written = tally();
  auto ended = co_await reconcile(attempt);
  const auto object = context_.informer(definition_.resource()).get(attempt.key);
  const auto decided = after_slow_failure(judge(ended, attempt.key), ended, observer.lasted());
  const auto verdict = paced(in_dry_run(decided, written, tally()), item.key, object, attempt.log);
  follow(verdict, item);
  if (object) sources_.await_requested(*object, item.priority);
  observer.ended(verdict, ended, object);
}

ControllerStatus RunningController::status() const {
  const auto now = context_.clock.now();
  ControllerStatus status{definition_.name(),
                          metrics_.has_value(),
                          options_.max_concurrent_reconciles,
                          queue_.snapshot(),
                          notes_.slowest(now),
                          notes_.failing(now),
                          pace_.busy(now),
                          definition_.resource().qualified_plural(),
                          pauses_.state()};
  for (auto& failing : status.failing) failing.retries = queue_.retries(failing.key);
  return status;
}

DryRunTally RunningController::tally() const {
  return context_.is_dry_run() ? context_.dry_run->tally() : DryRunTally();
}

Task<Outcome> RunningController::reconcile(Attempt& attempt) {
  std::exception_ptr left_behind;
  try {
    const bool has_timeout = definition_.parts().settings.reconcile_timeout.has_value();
    auto working = has_timeout ? reconcile_in_time(attempt) : reconciler_->reconcile(attempt);
    auto ended = co_await std::move(working);
    co_return ended;
  } catch (...) {
    left_behind = std::current_exception();
  }
  // An "operation aborted" that the reconciler caused itself, without a cancellation, must not end the worker.
  if (workers_.stopped() && async::is_cancelled(left_behind)) std::rethrow_exception(left_behind);
  metrics_->panics.increment();
  attempt.observer->note_result(ReconcileResult::kPanic);
  auto error = panic_error(left_behind);
  co_await report_canceled(attempt, error);
  co_return error;
}

Task<Outcome> RunningController::reconcile_in_time(Attempt& attempt) {
  const auto limit = *definition_.parts().settings.reconcile_timeout;
  std::optional<Result<Outcome>> ended;
  auto working = async::detail::store<Outcome>(reconciler_->reconcile(attempt), ended);
  const bool is_in_time = co_await async::finish_within(context_.clock, limit, std::move(working));
  if (is_in_time) co_return std::move(*ended);
  metrics_->timeouts.increment();
  attempt.observer->note_result(ReconcileResult::kTimeout);
  auto error = timeout_error("the reconcile was canceled after its timeout of " + base::format_go_duration(limit));
  // A timeout of a request is not reported in the object; this one is.
  co_await report_canceled(attempt, invalid_error(error.message()));
  co_return error;
}

// The pass, which reports all other errors, is gone.
asio::awaitable<void> RunningController::report_canceled(Attempt& attempt, Error error) {
  bool is_reported = false;
  std::exception_ptr left_behind;
  try {
    is_reported = co_await reconciler_->report_failure(attempt, error);
  } catch (...) {
    left_behind = std::current_exception();
  }
  if (left_behind && workers_.stopped() && async::is_cancelled(left_behind)) std::rethrow_exception(left_behind);
  if (left_behind) {
    log_.error(panic_error(left_behind), "Failed to report an error", {{"object", attempt.key.text()}});
  }
  if (!is_reported) record_canceled(attempt.key, error);
}

void RunningController::record_canceled(const kube::Key& key, const Error& error) {
  const auto object = context_.informer(definition_.resource()).get(key);
  if (!object || queue_.retries(key.text()) + 1 < FailurePolicy::kFailures) return;
  context_.events.record(definition_.resource(), *object, EventRecorder::Type::kWarning, "ReconcileFailed", "Reconcile",
                         error.message());
}

Verdict RunningController::paced(Verdict verdict, const std::string& key, const std::optional<kube::Object>& object,
                                 const Logger& log) {
  if (verdict.queue != Verdict::Queue::kAddAfter) {
    pace_.ended(key);
    return verdict;
  }
  const auto requested = verdict.delay;
  verdict.delay = pace_.requeued(key, requested, object ? object->generation() : 0);
  if (verdict.delay == requested || has_logged_pace_) return verdict;
  has_logged_pace_ = true;
  log.info("The reconciler requests the next pass without a delay again and again: such passes are delayed from now on",
           {{"delay", base::format_go_duration(verdict.delay)}});
  return verdict;
}

// A requeued key keeps its priority: an object of the first list that fails stays behind changed objects.
void RunningController::follow(const Verdict& verdict, const queue::Item& item) {
  switch (verdict.queue) {
    case Verdict::Queue::kForget:
      queue_.forget(item.key);
      return;
    case Verdict::Queue::kAddAfter:
      queue_.forget(item.key);
      // The key has no reason: a text for each of a hundred thousand idle keys would be a tenth of their memory.
      queue_.add_after(item.key, verdict.delay, {.priority = item.priority, .reason = ""});
      return;
    case Verdict::Queue::kAddWithDelay:
      queue_.add_rate_limited(
          item.key,
          {.priority = item.priority, .reason = verdict.count == Verdict::Count::kError ? "retry after error" : ""},
          verdict.delay);
      return;
    case Verdict::Queue::kLeave:
      return;
  }
}

// A handler may be called before start(), on a standby without metric series: then the panic is only logged.
void RunningController::report(const Panic& panic) {
  log_.error(panic.error, "Observed a panic in a watch handler", {{"source", panic.source}, {"object", panic.object}});
  if (metrics_) metrics_->panics.increment();
}

}  // namespace keelson::controller
