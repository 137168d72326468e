// The spans of a reconcile, for OpenTelemetry traces (docs/tracing.md).
//
// A trace is: `reconcile <Kind>` from the time at which the key was queued, with the reasons as events; below it
// `queue` and `run`; and below `run` a span for each request to the API server. A request gets the header `traceparent`
// even if the trace is not sampled. Retries of the client share a span.
#pragma once

#include <memory>
#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/controller/definition.hpp"
#include "keelson/detail/queue/work_queue.hpp"
#include "keelson/detail/tracing/tracer.hpp"
#include "keelson/kube/client.hpp"
#include "src/controller/reconcile_policy.hpp"

namespace keelson::controller {

// Neither copied nor moved. A destroyed one whose end() was not called reports a canceled reconcile.
class ReconcileSpans {
 public:
  // The reconcile of `item` begins now. The references must outlive the spans and their requests; `item` need not.
  ReconcileSpans(tracing::Tracer& tracer, async::Clock& clock, const Definition& definition, const queue::Item& item,
                 const std::string& reconcile_id);
  ReconcileSpans(const ReconcileSpans&) = delete;
  ReconcileSpans& operator=(const ReconcileSpans&) = delete;
  ~ReconcileSpans();

  [[nodiscard]] std::string trace_id() const { return tracing::trace_id(run_.context); }
  // `error` is null unless the reconcile has failed.
  void end(const Verdict& verdict, const Error* error);

 private:
  friend class RequestSpan;
  void add_all(const char* result);

  tracing::Tracer& tracer_;
  async::Clock& clock_;
  const async::TimePoint begun_;
  tracing::Span root_;
  tracing::Span queued_;
  tracing::Span run_;
  bool has_ended_ = false;
};

// The span of a request, which may outlive its reconcile. Neither copied nor moved. A destroyed one whose end() was not
// called reports a canceled request.
class RequestSpan {
 public:
  // Adds the header to `request`. `reconcile` is used only in the constructor; null: no span, no header.
  RequestSpan(ReconcileSpans* reconcile, kube::ApiRequest& request);
  RequestSpan(const RequestSpan&) = delete;
  RequestSpan& operator=(const RequestSpan&) = delete;
  ~RequestSpan();

  void end(const Result<kube::ApiReply>& reply);

 private:
  struct Open;
  void add();
  std::unique_ptr<Open> open_;  // null: off, not sampled, or ended
};

}  // namespace keelson::controller
