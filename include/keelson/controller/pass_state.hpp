// The state that all passes of a controller share: its kind, its consistent reads, and the statuses that are held back.
// For the framework; authors use Pass. It lives as long as the reconciler, for one term of leadership.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <memory>
#include <optional>
#include <string>

#include "keelson/base/result.hpp"
#include "keelson/controller/definition.hpp"
#include "keelson/controller/reconciler.hpp"
#include "keelson/kube/object.hpp"
#include "keelson/schema/describe.hpp"
#include "keelson/schema/resource.hpp"

namespace keelson::controller {

class ConflictPolicy;
class ConsistentRead;
class StatusWriter;
class WriteMetrics;

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

  [[nodiscard]] ConsistentRead& consistent_read() { return *consistent_read_; }
  // Children that another writer changes back again and again.
  [[nodiscard]] ConflictPolicy& conflicts() { return *conflicts_; }
  [[nodiscard]] WriteMetrics& write_metrics() { return *write_metrics_; }

  // Writes a status that differs from the stored one. `status` is the JSON of the status struct. If `is_immediate` is
  // false, the status may be held back for up to a second, and the outcome requests the reconcile that writes it.
  // Empty: the object is gone, and the cache no longer has it.
  [[nodiscard]] boost::asio::awaitable<Result<std::optional<Outcome>>> write_status(kube::Object object,
                                                                                    std::string status,
                                                                                    bool is_immediate);
  // Drops the time since which a status of the object is held back: it is written, equal to the stored one, or gone.
  void forget_status(const kube::Key& key);
  // Counts a status that is equal to the stored one, and so is not written.
  void count_unchanged_status();

  // Patch metadata.finalizers; the change of the object starts the next pass. 409 if the cached object is stale. If the
  // object is gone, add_finalizer fails with 404, and remove_finalizer succeeds.
  [[nodiscard]] boost::asio::awaitable<Result<Outcome>> add_finalizer(kube::Object object, std::string name);
  [[nodiscard]] boost::asio::awaitable<Result<Outcome>> remove_finalizer(kube::Object object, std::string name);

 private:
  const kube::Description* status_description_;
  bool shares_status_;
  std::unique_ptr<ConsistentRead> consistent_read_;
  std::unique_ptr<StatusWriter> status_writer_;
  std::unique_ptr<ConflictPolicy> conflicts_;
  std::unique_ptr<WriteMetrics> write_metrics_;
};

}  // namespace keelson::controller
