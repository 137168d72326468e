// Observes the reconciles of a controller for their history: what each of them reads and writes.
//
// ReconcileTraces is the client of a controller's context. It attributes a write to the reconcile of the object that is
// written. ReconcileTrace, the client of a Pass, attributes all requests to its own reconcile. Both pass every request
// on unchanged. A changed field is one that differs in the cache before and after the write, so a write of a kind that
// is not cached has no fields.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/cache/cache.hpp"
#include "keelson/kube/client.hpp"
#include "keelson/queue/work_queue.hpp"
#include "src/controller/reconcile_history.hpp"
#include "src/controller/reconcile_spans.hpp"

namespace keelson::controller {

class ReconcileTraces;

// A running reconcile. Neither copied nor moved: its Pass refers to it.
class ReconcileTrace final : public kube::Client {
 public:
  // `traces` must outlive it. `item` is the key and its reasons.
  ReconcileTrace(ReconcileTraces& traces, async::Clock& clock, const queue::Item& item);
  ReconcileTrace(const ReconcileTrace&) = delete;
  ReconcileTrace& operator=(const ReconcileTrace&) = delete;
  ~ReconcileTrace() override;

  [[nodiscard]] const kube::OperatorName& operator_name() const override;
  [[nodiscard]] boost::asio::awaitable<Result<kube::ApiReply>> send(kube::ApiRequest request) override;
  [[nodiscard]] boost::asio::awaitable<Result<std::unique_ptr<net::Stream>>> stream(kube::ApiRequest request) override;

  enum class Read { kCached, kConsistent };
  void note_read(const kube::Resource& resource, Read read);
  // The reconcile ends with this result, whatever its outcome is.
  void note_result(ReconcileResult result) { result_ = result; }

  // The spans of the same reconcile, which must live until its requests have been sent; null: traces are off.
  void set_spans(ReconcileSpans* spans) { spans_ = spans; }
  [[nodiscard]] ReconcileSpans* spans() const { return spans_; }

  [[nodiscard]] const kube::Key& key() const { return key_; }
  [[nodiscard]] ReconcileRecord& record() { return record_; }
  [[nodiscard]] std::optional<ReconcileResult> result() const { return result_; }

 private:
  friend class ReconcileTraces;
  void note_write(RecordedWrite write, const kube::Key& object, const std::optional<kube::Object>& before,
                  const std::optional<kube::Object>& after);

  ReconcileTraces& traces_;
  kube::Key key_;
  ReconcileRecord record_;
  std::optional<ReconcileResult> result_;
  ReconcileSpans* spans_ = nullptr;
};

// Neither copied nor moved.
class ReconcileTraces final : public kube::Client {
 public:
  // Everything must outlive it. `own` is the controller's kind.
  ReconcileTraces(ReconcileHistory& history, kube::Client& client, cache::Cache& cache, const kube::Resource& own)
      : history_(history), client_(client), cache_(cache), own_(own), controller_(history.add_controller()) {}
  ReconcileTraces(const ReconcileTraces&) = delete;
  ReconcileTraces& operator=(const ReconcileTraces&) = delete;

  [[nodiscard]] const kube::OperatorName& operator_name() const override { return client_.operator_name(); }
  [[nodiscard]] boost::asio::awaitable<Result<kube::ApiReply>> send(kube::ApiRequest request) override;
  [[nodiscard]] boost::asio::awaitable<Result<std::unique_ptr<net::Stream>>> stream(kube::ApiRequest request) override {
    return client_.stream(std::move(request));
  }

  // The running reconcile of this key; null if there is none.
  [[nodiscard]] ReconcileTrace* find(const kube::Key& key) const;
  // An event of `object` queues `key`. Events of the reconciled object itself need no note.
  void note_event(const kube::Key& key, std::string_view reason, const kube::Key& object);

  [[nodiscard]] ReconcileHistory& history() { return history_; }
  [[nodiscard]] ReconcileHistory::ControllerId controller() const { return controller_; }

 private:
  friend class ReconcileTrace;
  // Attributes the request to the reconcile of this key.
  [[nodiscard]] boost::asio::awaitable<Result<kube::ApiReply>> send_for(kube::Key reconciled, kube::ApiRequest request);
  [[nodiscard]] std::optional<kube::Object> cached(const kube::Resource& resource, const kube::Key& key) const;

  ReconcileHistory& history_;
  kube::Client& client_;
  cache::Cache& cache_;
  const kube::Resource& own_;
  const ReconcileHistory::ControllerId controller_;
  std::vector<ReconcileTrace*> running_;
};

}  // namespace keelson::controller
