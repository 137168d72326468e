// The implementation of a running controller, which make_controller returns.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "keelson/async/task_group.hpp"
#include "keelson/base/task.hpp"
#include "keelson/detail/async/time_slice.hpp"
#include "keelson/detail/controller/controller.hpp"
#include "keelson/detail/queue/work_queue.hpp"
#include "src/controller/channel_receiver.hpp"
#include "src/controller/concurrency_limiter.hpp"
#include "src/controller/controller_metrics.hpp"
#include "src/controller/pause_switch.hpp"
#include "src/controller/reconcile_observer.hpp"
#include "src/controller/sources.hpp"

namespace keelson::controller {

// What the controllers of a process share. All must outlive the controllers, except that the limiter may be destroyed
// after the workers have ended; null: off.
struct SharedParts {
  ReconcileHistory* history = nullptr;
  ConcurrencyLimiter* limiter = nullptr;
  tracing::Tracer* tracer = nullptr;
};

// The number of workers of a controller.
[[nodiscard]] int worker_count(const Definition& definition, const ControllerOptions& options, bool is_dry_run);

class RunningController final : public Controller {
 public:
  // As make_controller().
  RunningController(boost::asio::any_io_executor executor, Context& context, const Definition& definition,
                    ControllerOptions options, SharedParts shared = {});
  RunningController(const RunningController&) = delete;
  RunningController& operator=(const RunningController&) = delete;

  [[nodiscard]] std::string name() const override { return "controller " + definition_.name(); }
  [[nodiscard]] Task<void> start() override;
  [[nodiscard]] boost::asio::awaitable<void> stop() override;
  void abort() override { workers_.stop(); }
  [[nodiscard]] ControllerStatus status() const override;

  // For the page of objects.
  [[nodiscard]] const Definition& definition() const { return definition_; }
  [[nodiscard]] const Context& context() const { return context_; }
  [[nodiscard]] const queue::WorkQueue& queue() const { return queue_; }
  [[nodiscard]] const Sources& sources() const { return sources_; }
  [[nodiscard]] const OwnHistory& history() const { return history_; }
  // As ReconcilePace::busy().
  [[nodiscard]] BusyKey busy(const kube::Key& key) const { return pace_.busy(key.text(), context_.clock.now()); }
  [[nodiscard]] bool has_started() const { return metrics_.has_value(); }
  [[nodiscard]] PauseSwitch& pauses() { return pauses_; }
  [[nodiscard]] const PauseSwitch& pauses() const { return pauses_; }

 private:
  [[nodiscard]] boost::asio::awaitable<void> begin();
  [[nodiscard]] boost::asio::awaitable<void> queue_known();
  [[nodiscard]] boost::asio::awaitable<void> open_channels();
  [[nodiscard]] boost::asio::awaitable<void> queue_all(std::string reason);
  [[nodiscard]] boost::asio::awaitable<void> wait_for_caches();
  [[nodiscard]] boost::asio::awaitable<void> work();
  [[nodiscard]] boost::asio::awaitable<void> follow_wall_clock();
  [[nodiscard]] boost::asio::awaitable<void> process(queue::Item item);
  // The writes of a dry run so far; nothing otherwise.
  [[nodiscard]] DryRunTally tally() const;
  [[nodiscard]] Task<Outcome> reconcile(Attempt& attempt);
  [[nodiscard]] Task<Outcome> reconcile_in_time(Attempt& attempt);
  void follow(const Verdict& verdict, const queue::Item& item);
  // Delays a pass that is requested without a delay again and again, and logs the first one.
  [[nodiscard]] Verdict paced(Verdict verdict, const std::string& key, const std::optional<kube::Object>& object,
                              const Logger& log);
  // Reports a pass that was canceled or has thrown in its object, if it fails so again and again.
  [[nodiscard]] boost::asio::awaitable<void> report_canceled(Attempt& attempt, Error error);
  // The same by a Warning Event only, from the third failure in a row on.
  void record_canceled(const kube::Key& key, const Error& error);
  void report_unsynced() const;
  void report(const Panic& panic);

  const OwnHistory history_;
  Context context_;  // with our definition
  const Definition& definition_;
  ControllerOptions options_;
  Logger log_;
  ConcurrencyLimiter* limiter_;  // null: every worker may reconcile at any time
  queue::WorkQueue queue_;
  PauseSwitch pauses_;
  Sources sources_;
  std::deque<ChannelReceiver> channels_;
  std::unique_ptr<Reconciler> reconciler_;
  ReconcileNotes notes_;
  ReconcilePace pace_;
  const ObserverParts observed_;
  bool has_logged_pace_ = false;
  std::optional<ControllerMetrics> metrics_;  // from start(): a standby has no such series
  async::TimeSlice slice_;                    // of all workers together
  async::TaskGroup starter_;
  async::TaskGroup workers_;
};

}  // namespace keelson::controller
