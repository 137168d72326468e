// The state that all passes of a controller share: its kind, its consistent reads, and the statuses that are held back.
// For the framework; authors use Pass. It lives as long as the reconciler, for one term of leadership.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "keelson/base/log.hpp"
#include "keelson/base/result.hpp"
#include "keelson/base/task.hpp"
#include "keelson/controller/definition.hpp"
#include "keelson/controller/reconciler.hpp"
#include "keelson/detail/controller/pause.hpp"
#include "keelson/kube/object.hpp"
#include "keelson/schema/describe.hpp"
#include "keelson/schema/identity.hpp"

namespace keelson::controller {

class ConflictPolicy;
class ConsistentRead;
class FailurePolicy;
class PauseReporter;
class SettledChildren;
class StatusWriter;
class WriteMetrics;

// A child that a pass does not change, because of its annotation.
struct PausedChild {
  std::string kind;  // for the message of the condition Paused
  kube::Key key;
  Pause pause;  // as the annotation was when the pass read the child
};

class PassState {
 public:
  // The context and the description must outlive it. `status_description` is null for a kind whose status the
  // controller does not write; then write_status must not be called. `shares_status`: see shares_status() in pass.hpp.
  PassState(Context& passes_context, kube::Resource kind, const kube::Description* status_description,
            bool shares_status);
  PassState(const PassState&) = delete;
  PassState& operator=(const PassState&) = delete;
  ~PassState();

  Context& context;
  const kube::Resource resource;  // the controller's kind
  cache::Informer& informer;      // of that kind

  // The mistakes of passes that prune a kind before they apply it, by "deployments.apps". Later passes do not prune it.
  std::map<std::string, std::string> early_prunes;

  // Whether the cache may be older than the writes of the former leader, by kind and object.
  [[nodiscard]] ConsistentRead& consistent_read() { return *consistent_read_; }
  // Children that had their desired state.
  [[nodiscard]] SettledChildren& settled_children() { return *settled_children_; }
  // Children that another writer changes back again and again.
  [[nodiscard]] ConflictPolicy& conflicts() { return *conflicts_; }
  // The failures in a row of each object, which the status reports when they persist.
  [[nodiscard]] FailurePolicy& failures() { return *failures_; }
  // Counts applies that were not necessary or are held back, and conflicts.
  [[nodiscard]] WriteMetrics& write_metrics() { return *write_metrics_; }

  // Writes a status that differs from the stored one. `status` is the JSON of the status struct. If `is_immediate` is
  // false, the status may be held back for up to a second, and the outcome requests the reconcile that writes it.
  // Empty: the object is gone, and the cache no longer has it.
  [[nodiscard]] Task<std::optional<Outcome>> write_status(kube::Client& client, kube::Object object, std::string status,
                                                          bool is_immediate);
  // Drops the time since which a status of the object is held back: it is written, equal to the stored one, or gone.
  void forget_status(const kube::Key& key);
  // Counts a status that is equal to the stored one, and so is not written.
  void count_unchanged_status();

  // The pause of an object or of a child, by its annotation now (pause.hpp).
  [[nodiscard]] std::optional<Pause> pause_of(const kube::Object& object) const;
  // The whole pass of a paused object: logs the transition once, and writes the condition Paused and nothing else.
  [[nodiscard]] Task<Outcome> stay_paused(Attempt& attempt, kube::Object object, Pause pause);
  // Called for an object that is not paused: logs the transition once.
  void note_resumed(const Attempt& attempt);
  // The condition Paused is True for a pause that is over: sets it to False. Returns the object as it is now; empty: it
  // is gone.
  [[nodiscard]] Task<std::optional<kube::Object>> end_pause(Attempt& attempt, kube::Object object);
  // Called at the end of a pass with paused children, and if an earlier one had some. The outcome requests the
  // reconcile when the pause of a child ends.
  [[nodiscard]] Task<Outcome> report_children(kube::Client& client, kube::Object object,
                                              std::vector<PausedChild> children, Logger log);
  // The log has paused children of the object, and not yet the end of their pause.
  [[nodiscard]] bool has_logged_children(const kube::Key& key) const;
  // The object is gone.
  void forget(const kube::Key& key);

  // Patch metadata.finalizers. The outcome of add_finalizer requests the next pass. 409 if the cached object is stale.
  // If the object is gone, add_finalizer fails with 404, and remove_finalizer succeeds.
  [[nodiscard]] Task<Outcome> add_finalizer(Attempt& attempt, kube::Object object, std::string name);
  [[nodiscard]] Task<Outcome> remove_finalizer(Attempt& attempt, kube::Object object, std::string name);

 private:
  const kube::Description* status_description_;
  bool shares_status_;
  std::unique_ptr<ConsistentRead> consistent_read_;
  std::unique_ptr<StatusWriter> status_writer_;
  std::unique_ptr<PauseReporter> pause_reporter_;
  std::unique_ptr<SettledChildren> settled_children_;
  std::unique_ptr<ConflictPolicy> conflicts_;
  std::unique_ptr<FailurePolicy> failures_;
  std::unique_ptr<WriteMetrics> write_metrics_;
};

}  // namespace keelson::controller
