// Tracer: creates the identifiers of spans, and sends finished spans to an OpenTelemetry collector.
//
// Overview of room tracing, which implements optional traces (docs/tracing.md): settings.hpp reads the environment
// variables OTEL_*, span.hpp has the values, and the Tracer exports them as OTLP/HTTP with JSON. The room knows nothing
// of controllers; src/controller/reconcile_spans.hpp creates the spans of a reconcile.
//
// add() never waits: a span that does not fit into the queue is dropped and counted. A service of its own sends
// batches, so a slow or missing collector delays nothing else and uses no more memory than the queue. A failed batch is
// retried as OTLP requires (429, 502, 503, 504 and connection errors, with Retry-After or a backoff) until its export
// timeout, and is dropped then. The first failure after a success is logged, and the next success.
//
// Series: keelson_trace_spans_exported_total, and keelson_trace_spans_dropped_total by reason: queue_full, rejected (by
// the collector), unreachable (retries did not help), shutdown.
//
// Ownership: all references must outlive the Tracer, and it must outlive everything that adds spans. All calls happen
// on the thread of the loop. Cancellation: stop() sends what is queued for at most kFlushTime, then cancels the
// request.
//
// Example (test/examples/tracing.cpp#span):
//   // Records an operation as a trace with a single span.
//   void record(tracing::Tracer& tracer, async::WallTime begun, async::WallTime ended) {
//     tracing::Span span;
//     span.context = tracer.new_trace();
//     if (!span.context.is_sampled) return;
//     span.name = "rotate certificate";
//     span.start = begun;
//     span.end = ended;
//     tracer.add(std::move(span));
//   }
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <deque>
#include <memory>
#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/async/task_group.hpp"
#include "keelson/base/log.hpp"
#include "keelson/base/task.hpp"
#include "keelson/detail/async/notify.hpp"
#include "keelson/detail/async/runnable.hpp"
#include "keelson/detail/base/random.hpp"
#include "keelson/detail/tracing/settings.hpp"
#include "keelson/detail/tracing/span.hpp"
#include "keelson/metrics/registry.hpp"
#include "keelson/net/http.hpp"

namespace keelson::tracing {

// Neither copied nor moved.
class Tracer final : public async::Runnable {
 public:
  // At the stop, the longest time for spans that are queued.
  static constexpr async::Duration kFlushTime = std::chrono::seconds(5);

  // `http` sends to the collector of the settings. make_tracer() creates it.
  Tracer(boost::asio::any_io_executor executor, async::Clock& clock, base::Random& random, const Logger& log,
         metrics::Registry& registry, Settings settings, std::unique_ptr<net::HttpClient> http);
  Tracer(const Tracer&) = delete;
  Tracer& operator=(const Tracer&) = delete;

  // The identifiers of the root of a new trace, and the decision of the sampler.
  [[nodiscard]] SpanContext new_trace();
  // The identifiers of a child: those of its parent's trace, with a span id of its own.
  [[nodiscard]] SpanContext new_child(const SpanContext& parent);
  // Queues a finished span. Spans of traces that are not sampled are ignored.
  void add(Span span);

  [[nodiscard]] std::string name() const override { return "trace exporter"; }
  [[nodiscard]] Task<void> start() override;
  [[nodiscard]] boost::asio::awaitable<void> stop() override;
  void abort() override { tasks_.stop(); }

 private:
  [[nodiscard]] std::uint64_t new_id();
  [[nodiscard]] boost::asio::awaitable<void> run();
  [[nodiscard]] boost::asio::awaitable<void> export_batch();
  [[nodiscard]] net::Request take_batch();
  void note_success(const net::Response& reply);
  void note_failure(const Error& error, const char* reason);
  void drop(const char* reason, std::size_t spans);

  async::Clock& clock_;
  base::Random& random_;
  Logger log_;
  Settings settings_;
  std::unique_ptr<net::HttpClient> http_;
  metrics::Counter& exported_;
  metrics::CounterFamily& dropped_;
  std::deque<Span> queue_;
  std::size_t in_flight_ = 0;  // spans of the batch that is being sent
  bool is_failing_ = false;
  bool is_stopping_ = false;
  async::Notify wake_;
  async::TaskGroup tasks_;
};

// Adds the series of a Tracer.
void register_series(metrics::Registry& registry);

// Fails with kInvalid if the certificate cannot be read or used.
[[nodiscard]] Result<std::unique_ptr<Tracer>> make_tracer(boost::asio::any_io_executor executor, async::Clock& clock,
                                                          base::Random& random, const Logger& log,
                                                          metrics::Registry& registry, Settings settings);

}  // namespace keelson::tracing
