// Observes one reconcile for everything that reports it: log, counters, history, spans, and the notes of status pages.
//
// It is the client of the Attempt, so that the history and the spans have the requests of this reconcile, which it
// passes on unchanged. A changed field is one that differs in the cache before and after the write, so a write of a
// kind that is not cached has no fields.
#pragma once

#include <optional>
#include <set>

#include "keelson/base/task.hpp"
#include "keelson/controller/definition.hpp"
#include "keelson/controller/reconciler.hpp"
#include "keelson/detail/cache/cache.hpp"
#include "keelson/detail/queue/work_queue.hpp"
#include "keelson/kube/client.hpp"
#include "src/controller/blocked_owners.hpp"
#include "src/controller/controller_metrics.hpp"
#include "src/controller/reconcile_history.hpp"
#include "src/controller/reconcile_notes.hpp"
#include "src/controller/reconcile_pace.hpp"
#include "src/controller/reconcile_policy.hpp"
#include "src/controller/reconcile_spans.hpp"

namespace keelson::controller {

// What the observers of a controller share. Everything must outlive them.
struct ObserverParts {
  const Context& context;
  const Definition& definition;
  const Logger& log;  // of the controller
  const queue::WorkQueue& queue;
  ReconcileNotes& notes;
  ReconcilePace& pace;
  BlockedOwners& blocked;
  OwnHistory history;
  tracing::Tracer* tracer;  // null: off
};

// Neither copied nor moved: the Attempt and its Pass refer to it. A destroyed one whose ended() was not called has
// observed a canceled reconcile, which only the spans report.
class ReconcileObserver final : public kube::Client {
 public:
  // `item` is the key and its reasons. Everything must outlive the observer.
  ReconcileObserver(const ObserverParts& parts, ControllerMetrics& metrics, const queue::Item& item);
  ReconcileObserver(const ReconcileObserver&) = delete;
  ReconcileObserver& operator=(const ReconcileObserver&) = delete;

  // The reconcile begins. The Attempt is valid as long as the observer.
  [[nodiscard]] Attempt began();
  // The verdict about the reconcile has been executed. `object` is what the cache has now.
  void ended(const Verdict& verdict, const Result<Outcome>& result, const std::optional<kube::Object>& object);

  [[nodiscard]] async::Duration lasted() const { return parts_.context.clock.now() - begun_; }

  enum class Read { kCached, kConsistent };
  void note_read(const kube::Resource& resource, Read read);
  // The object cannot have a child of this name now, because of the object that has the name.
  void note_blocked(const kube::Resource& resource, const kube::Key& name);
  // The reconcile ends with this result, whatever its outcome is.
  void note_result(ReconcileResult result) { result_ = result; }

  [[nodiscard]] const kube::OperatorName& operator_name() const override { return client().operator_name(); }
  [[nodiscard]] Task<kube::ApiReply> send(kube::ApiRequest request) override;
  [[nodiscard]] Task<std::unique_ptr<net::Stream>> stream(kube::ApiRequest request) override {
    return client().stream(std::move(request));
  }

 private:
  [[nodiscard]] kube::Client& client() const { return parts_.context.client; }
  [[nodiscard]] ReconcileHistory* history() const { return parts_.history.all; }
  [[nodiscard]] Logger make_log();
  void begin_record();
  void note_write(RecordedWrite write, const kube::Key& object, const std::optional<kube::Object>& before,
                  const std::optional<kube::Object>& after);
  void count(const Verdict& verdict);
  void log(const Verdict& verdict, const Result<Outcome>& result) const;
  void record(const Verdict& verdict, const Result<Outcome>& result, const std::optional<kube::Object>& object);
  [[nodiscard]] std::optional<kube::Object> cached(const kube::Resource& resource, const kube::Key& key) const;

  const ObserverParts& parts_;
  ControllerMetrics& metrics_;
  const queue::Item& item_;
  const kube::Key key_;
  async::TimePoint begun_;
  Logger log_;
  std::optional<ReconcileSpans> spans_;
  ReconcileRecord record_;
  std::optional<ReconcileResult> result_;
  std::set<BlockedOwners::Blocker> blockers_;
};

}  // namespace keelson::controller
