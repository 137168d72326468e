#include "keelson/detail/leader/elector.hpp"

#include <algorithm>

#include "keelson/async/task_group.hpp"
#include "keelson/detail/async/is_cancelled.hpp"
#include "keelson/detail/async/notify.hpp"
#include "keelson/detail/async/timeout.hpp"
#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/metrics/names.hpp"
#include "src/leader/elector_policy.hpp"

namespace keelson::leader {
namespace asio = boost::asio;

namespace {

// The longest time without an event after which a watch is reopened. Another process wrote the lease's duration, so it
// cannot be trusted alone; reopening a watch this often costs nothing.
constexpr std::chrono::seconds kLongestSilence(300);

// True: the API server rejected the request, so it was not executed. Other errors leave that open.
bool is_rejection(const Error& error) { return error.kind == Error::Kind::kStatus && error.code < 500; }

bool lost_a_race(const Error& error) { return kube::is_conflict(error) || kube::is_already_exists(error); }

class LeaseElector final : public Elector {
 public:
  LeaseElector(asio::any_io_executor executor, async::Clock& clock, base::Random& random, Logger log,
               metrics::Registry& registry, Lock& lock, ElectorOptions options)
      : clock_(clock),
        random_(random),
        log_(log.with({{"lock", lock.describe()}})),
        lock_(lock),
        options_(std::move(options)),
        policy_(options_.identity, options_.timing),
        fence_(clock),
        is_leader_(
            registry
                .gauge(metrics::kLeaderElectionMasterStatus.name, metrics::kLeaderElectionMasterStatus.help, {"name"})
                .with({options_.name})),
        slow_path_(registry
                       .counter(metrics::kLeaderElectionSlowpathTotal.name, metrics::kLeaderElectionSlowpathTotal.help,
                                {"name"})
                       .with({options_.name})),
        tasks_(std::move(executor)) {
    KEELSON_ASSERT(validate(options_.timing).has_value());
    KEELSON_ASSERT(!options_.identity.empty());
  }

  std::string name() const override { return "leader election"; }
  Task<void> start() override;
  asio::awaitable<void> stop() override;
  State state() const override { return state_; }
  void on_change(std::function<void()> callback) override { callback_ = std::move(callback); }
  const Fence& fence() const override { return fence_; }
  void forgo_release() override { may_release_ = false; }
  ElectorStatus status() const override;

 private:
  [[nodiscard]] asio::awaitable<void> run();
  [[nodiscard]] asio::awaitable<void> lead();
  [[nodiscard]] asio::awaitable<void> compete(async::TaskGroup& tasks);
  [[nodiscard]] asio::awaitable<bool> try_to_acquire();
  [[nodiscard]] asio::awaitable<void> follow();
  [[nodiscard]] asio::awaitable<void> watch(Result<void>& ended);
  [[nodiscard]] async::Duration silence() const;
  [[nodiscard]] asio::awaitable<void> renew();
  [[nodiscard]] asio::awaitable<void> renew_once();
  [[nodiscard]] asio::awaitable<void> release();
  [[nodiscard]] Task<std::optional<Lease>> read();
  [[nodiscard]] Task<void> write(std::optional<Lease> before, Record record);
  [[nodiscard]] asio::awaitable<void> tell_event(std::string what);
  void hear(const std::optional<Record>& record);
  void see(const std::optional<Record>& record);
  void change(State state);
  [[nodiscard]] std::string problem() const;
  void complain(const Error& error, const char* message, std::string& last_error);
  [[nodiscard]] bool leads() const { return state_ == State::kLeading; }
  [[nodiscard]] async::TimePoint turn() const;
  [[nodiscard]] async::Duration pause() {
    return std::chrono::duration_cast<async::Duration>(options_.timing.retry_period *
                                                       (1 + Timing::kJitter * random_.unit()));
  }

  async::Clock& clock_;
  base::Random& random_;
  Logger log_;
  Lock& lock_;
  ElectorOptions options_;
  ElectorPolicy policy_;
  Fence fence_;
  metrics::Gauge& is_leader_;
  metrics::Counter& slow_path_;
  State state_ = State::kStandby;
  async::TimePoint changed_at_{};  // of state_
  std::function<void()> callback_;
  std::optional<Lease> lease_;  // as this process wrote it last
  bool may_hold_ = false;       // a write of this process was executed, or may have been
  bool may_release_ = true;
  // The time of a standby's next try: the latest one without a watch, and the earliest one unless the watch reports a
  // release.
  async::TimePoint poll_at_{};
  bool must_wait_ = false;
  bool is_watching_ = false;
  async::TimePoint heard_at_{};
  bool is_released_ = false;
  async::Notify woken_;
  // The last logged errors: each is logged once, not on every retry.
  std::string read_trouble_;
  std::string write_trouble_;
  async::TaskGroup tasks_;
};

Task<void> LeaseElector::start() {
  log_.info("Attempting to acquire leader lease...");
  changed_at_ = clock_.now();
  tasks_.spawn(run());
  co_return Result<void>();
}

// If anything except stop() ends this, leadership is lost, because nothing renews the lease any more.
asio::awaitable<void> LeaseElector::run() {
  try {
    co_await lead();
  } catch (...) {
    if (!async::is_cancelled(std::current_exception())) change(State::kLost);
    throw;
  }
}

asio::awaitable<void> LeaseElector::lead() {
  auto competing = [this](async::TaskGroup& tasks) { return compete(tasks); };
  co_await async::with_task_group(competing);
  log_.info("Successfully acquired lease");
  change(State::kLeading);
  tasks_.spawn(tell_event("became leader"));
  auto until = [this] { return policy_.lead_ends(); };
  co_await async::finish_while_alive(clock_, until, renew());
  fence_.close();
  log_.info("Failed to renew lease");
  change(State::kLost);
  // Not after a suspension: another replica may lead by then, and this process writes nothing any more.
  auto gap = options_.timing.lease_duration - options_.timing.renew_deadline;
  if (clock_.now() < policy_.lead_ends() + gap) co_await tell_event("stopped leading");
}

// The order matters: the leader's work has ended, then the lease is released, and only then the Event is recorded.
asio::awaitable<void> LeaseElector::stop() {
  tasks_.stop();
  co_await tasks_.join();
  fence_.close();
  is_leader_.set(0);
  if (!may_hold_ || state_ == State::kLost) co_return;
  if (!may_release_) {
    log_.info("Not releasing the lease because work of the leader was canceled; it expires by itself");
    co_return;
  }
  co_await async::finish_within(clock_, options_.timing.renew_deadline, release());
  if (may_hold_) log_.info("Failed to release the lease in time; it expires by itself");
}

asio::awaitable<void> LeaseElector::compete(async::TaskGroup& tasks) {
  tasks.spawn(follow());
  for (;;) {
    auto acquired = co_await try_to_acquire();
    if (acquired) co_return;
    auto until = [this] { return turn(); };
    while (!is_released_ && clock_.now() < turn()) co_await async::finish_while_alive(clock_, until, woken_.wait());
  }
}

// When a standby tries again, unless the watch reports a release earlier.
async::TimePoint LeaseElector::turn() const {
  if (must_wait_) return poll_at_;
  auto end = policy_.runs_out();
  if (!end) return poll_at_;
  return is_watching_ ? *end : std::min(*end, poll_at_);
}

asio::awaitable<bool> LeaseElector::try_to_acquire() {
  is_released_ = false;
  must_wait_ = true;
  poll_at_ = clock_.now() + pause();
  auto found = co_await read();
  if (!found) co_return false;
  if (!policy_.may_take(clock_.now())) {
    log_.debug("Lease is held by and has not yet expired", {{"holder", policy_.observed()->holder}}, 4);
    must_wait_ = false;
    co_return false;
  }
  auto written = co_await write(std::move(*found), policy_.wanted(clock_.wall_now()));
  if (!written) co_return false;
  co_return clock_.now() < policy_.lead_ends();
}

// Keeps a watch open, so that a release is observed immediately. Without a watch the elector only polls.
asio::awaitable<void> LeaseElector::follow() {
  std::string logged;
  for (;;) {
    auto began = heard_at_ = clock_.now();
    Result<void> ended;
    auto until = [this] { return heard_at_ + silence(); };
    co_await async::finish_while_alive(clock_, until, watch(ended));
    if (std::exchange(is_watching_, false)) logged.clear();
    woken_.notify_all();
    if (!ended && std::exchange(logged, ended.error().message()) != ended.error().message()) {
      const std::string_view message = "Unable to watch the lease, polling it instead";
      if (kube::is_forbidden(ended.error())) {
        log_.info(message, {{"error", logged}, {"remedy", "grant the verb watch on leases"}});
      } else {
        log_.info(message, {{"error", logged}});
      }
    }
    if (!ended || clock_.now() - began < options_.timing.retry_period) co_await async::sleep_for(clock_, pause());
  }
}

asio::awaitable<void> LeaseElector::watch(Result<void>& ended) {
  ended = co_await lock_.watch([this](const std::optional<Record>& record) { hear(record); });
}

// A holder renews more often than this, so a watch that reports no renewal for so long is dead. The bound prevents a
// lease with a duration of years from keeping a dead watch open.
async::Duration LeaseElector::silence() const {
  auto held = std::chrono::seconds(policy_.observed() ? policy_.observed()->duration_seconds : 0);
  auto believed = std::min(held, kLongestSilence);
  return std::max<async::Duration>(believed, options_.timing.lease_duration) + options_.timing.retry_period;
}

void LeaseElector::hear(const std::optional<Record>& record) {
  is_watching_ = true;
  heard_at_ = clock_.now();
  see(record);
  if (!policy_.may_take(clock_.now())) return;
  is_released_ = true;
  woken_.notify_all();
}

asio::awaitable<void> LeaseElector::renew() {
  for (auto next = clock_.now(); policy_.is_ours();) {
    next = std::max(next + options_.timing.retry_period, clock_.now());
    co_await async::sleep_until(clock_, next);
    // A process that was suspended past the end of its leadership must not renew the lease before it exits.
    if (clock_.now() >= policy_.lead_ends()) co_return;
    co_await renew_once();
  }
}

asio::awaitable<void> LeaseElector::renew_once() {
  auto written = co_await write(lease_, policy_.wanted(clock_.wall_now()));
  // The lease has changed: by this process, if the reply was lost, or by a client that sets a label.
  if (written || !(lost_a_race(written.error()) || kube::is_not_found(written.error()))) co_return;
  log_.debug("Failed to update lease optimistically, falling back to slow path");
  auto found = co_await read();
  if (!found || !policy_.is_ours()) co_return;
  slow_path_.increment();
  auto record = policy_.wanted(clock_.wall_now());
  auto again = co_await write(std::move(*found), std::move(record));
  if (!again) log_.debug("Failed to update lease", {{"error", again.error().message()}});
}

asio::awaitable<void> LeaseElector::release() {
  for (;;) {
    auto found = co_await read();
    if (found && !(*found && policy_.is_ours())) {
      may_hold_ = false;
      co_return;
    }
    if (found) {
      auto written = co_await write(std::move(*found), policy_.released(clock_.wall_now()));
      if (written) break;
    }
    co_await async::sleep_for(clock_, options_.timing.retry_period / 4);
  }
  may_hold_ = false;
  log_.info("Released the lease");
  co_await tell_event("stopped leading");
}

Task<std::optional<Lease>> LeaseElector::read() {
  auto found = co_await async::with_timeout(clock_, options_.timing.request_timeout(), "get lease", lock_.get());
  if (!found) {
    complain(found.error(), "Error retrieving lease lock", read_trouble_);
    co_return found;
  }
  read_trouble_.clear();
  see(*found ? std::optional((*found)->record) : std::nullopt);
  co_return found;
}

// Leadership is counted from before the request is sent, so that it never lasts longer than standbys assume.
Task<void> LeaseElector::write(std::optional<Lease> before, Record record) {
  auto sent = clock_.now();
  bool was_held = std::exchange(may_hold_, true);
  auto writing = before ? lock_.update(std::move(*before), std::move(record)) : lock_.create(std::move(record));
  auto written =
      co_await async::with_timeout(clock_, options_.timing.request_timeout(), "write lease", std::move(writing));
  if (!written) {
    if (is_rejection(written.error())) may_hold_ = was_held;
    if (!lost_a_race(written.error())) complain(written.error(), "Failed to update lease", write_trouble_);
    co_return std::move(written).error();
  }
  write_trouble_.clear();
  policy_.wrote(written->record, sent, clock_.now());
  if (policy_.is_ours()) fence_.open_until(policy_.lead_ends());
  lease_ = std::move(*written);
  co_return Result<void>();
}

// Best effort: an Event that cannot be recorded changes nothing.
asio::awaitable<void> LeaseElector::tell_event(std::string what) {
  auto message = options_.identity + " " + what;
  auto sent = co_await async::with_timeout(clock_, options_.timing.request_timeout(), "create event",
                                           lock_.record_event(*lease_, std::move(message)));
  if (!sent) log_.debug("Event was not sent (will not retry)", {{"error", sent.error().message()}});
}

void LeaseElector::see(const std::optional<Record>& record) {
  auto before = policy_.observed() ? policy_.observed()->holder : "";
  policy_.saw(record, clock_.now());
  if (!record || record->holder == before || record->holder.empty() || policy_.is_ours()) return;
  log_.info("New leader", {{"identity", record->holder}});
}

// An error of a request that is not repeated any more is over: a leader only writes, and a standby reads without a
// watch and writes only to a lease that it may acquire.
std::string LeaseElector::problem() const {
  if (state_ != State::kStandby) return write_trouble_;
  if (!read_trouble_.empty() && !is_watching_) return read_trouble_;
  return policy_.may_take(clock_.now()) ? write_trouble_ : "";
}

ElectorStatus LeaseElector::status() const {
  const auto since = [this](async::TimePoint then) {
    return then == async::TimePoint() ? async::Duration(0) : clock_.now() - then;
  };
  return {.state = state_,
          .in_state = since(changed_at_),
          .identity = options_.identity,
          .lease = lock_.describe(),
          .observed = policy_.observed(),
          .unchanged = policy_.observed() ? since(policy_.observed_at()) : async::Duration(0),
          .problem = problem()};
}

void LeaseElector::change(State state) {
  state_ = state;
  changed_at_ = clock_.now();
  is_leader_.set(leads() ? 1 : 0);
  if (callback_) callback_();
}

void LeaseElector::complain(const Error& error, const char* message, std::string& last_error) {
  if (std::exchange(last_error, error.message()) == error.message()) return;
  log_.error(error, message);
}

}  // namespace

std::unique_ptr<Elector> make_elector(asio::any_io_executor executor, async::Clock& clock, base::Random& random,
                                      Logger log, metrics::Registry& registry, Lock& lock, ElectorOptions options) {
  return std::make_unique<LeaseElector>(std::move(executor), clock, random, std::move(log), registry, lock,
                                        std::move(options));
}

}  // namespace keelson::leader
