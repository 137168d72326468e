#include "keelson/detail/tracing/tracer.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "keelson/base/try.hpp"
#include "keelson/detail/async/timeout.hpp"
#include "keelson/detail/base/backoff.hpp"
#include "keelson/detail/tls/pem_file.hpp"
#include "src/tracing/export_policy.hpp"
#include "src/tracing/otlp_json.hpp"

namespace keelson::tracing {
namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

// A collector replies with a few bytes.
constexpr std::size_t kCollectorReplyBytes = std::size_t{64} << 10;

metrics::Counter& exported_spans(metrics::Registry& registry) {
  return registry
      .counter("keelson_trace_spans_exported_total",
               "Total number of trace spans that the OpenTelemetry collector has accepted.", {})
      .with({});
}

metrics::CounterFamily& dropped_spans(metrics::Registry& registry) {
  return registry.counter("keelson_trace_spans_dropped_total",
                          "Total number of trace spans that were not exported, by reason.", {"reason"});
}

}  // namespace

Tracer::Tracer(asio::any_io_executor executor, async::Clock& clock, base::Random& random, const Logger& log,
               metrics::Registry& registry, Settings settings, std::unique_ptr<net::HttpClient> http)
    : clock_(clock),
      random_(random),
      log_(log.named("tracing")),
      settings_(std::move(settings)),
      http_(std::move(http)),
      exported_(exported_spans(registry)),
      dropped_(dropped_spans(registry)),
      tasks_(std::move(executor)) {
  for (const char* reason : {"queue_full", "rejected", "unreachable", "shutdown"}) drop(reason, 0);
}

SpanContext Tracer::new_trace() {
  SpanContext context{new_id(), new_id(), new_id()};
  context.is_sampled = is_selected(context, settings_.sampled_fraction);
  return context;
}

SpanContext Tracer::new_child(const SpanContext& parent) {
  auto context = parent;
  context.span = new_id();
  return context;
}

void Tracer::add(Span span) {
  if (!span.context.is_sampled) return;
  if (queue_.size() >= settings_.queue_size) return drop("queue_full", 1);
  queue_.push_back(std::move(span));
  if (queue_.size() == 1 || queue_.size() == settings_.batch_size) wake_.notify_all();
}

Task<void> Tracer::start() {
  tasks_.spawn(run());
  co_return Result<void>();
}

asio::awaitable<void> Tracer::stop() {
  is_stopping_ = true;
  wake_.notify_all();
  const bool is_flushed = co_await async::finish_within(clock_, kFlushTime, tasks_.drain());
  if (!is_flushed) tasks_.stop();
  co_await tasks_.join();
  drop("shutdown", queue_.size() + in_flight_);
  queue_.clear();
}

std::uint64_t Tracer::new_id() {
  using Limits = std::numeric_limits<std::int64_t>;
  // Never zero, which is no valid identifier.
  const auto id = random_.between(Limits::min(), Limits::max() - 1);
  return static_cast<std::uint64_t>(id >= 0 ? id + 1 : id);
}

// An idle program has no timer here.
asio::awaitable<void> Tracer::run() {
  for (;;) {
    while (queue_.empty() && !is_stopping_) co_await wake_.wait();
    if (queue_.size() < settings_.batch_size && !is_stopping_) {
      [[maybe_unused]] const bool is_full =
          co_await async::finish_within(clock_, settings_.schedule_delay, wake_.wait());
    }
    while (!queue_.empty()) co_await export_batch();
    if (is_stopping_) co_return;
  }
}

asio::awaitable<void> Tracer::export_batch() {
  using Next = ExportVerdict::Next;
  const auto deadline = clock_.now() + settings_.export_timeout;
  const auto request = take_batch();
  base::Backoff backoff({.initial = 1s, .cap = 8s, .jitter = 0.5}, random_);
  for (;;) {
    net::CallOptions options;
    // Zero would mean no limit, and a late timer can pass the deadline.
    options.timeout = std::clamp<async::Duration>(deadline - clock_.now(), 1ms, settings_.timeout);
    options.body_limit = kCollectorReplyBytes;
    auto reply = co_await http_->send(request, options);
    const auto verdict = judge_export(reply);
    if (verdict.next == Next::kDone) co_return note_success(*reply);
    const auto delay = std::max<async::Duration>(verdict.retry_after.value_or(0s), backoff.next());
    if (verdict.next == Next::kDrop || clock_.now() + delay >= deadline) {
      const auto error =
          reply ? transport_error("the collector replied with HTTP status " + std::to_string(reply->status))
                : reply.error();
      co_return note_failure(error, verdict.next == Next::kDrop ? "rejected" : "unreachable");
    }
    co_await async::sleep_for(clock_, delay);
  }
}

net::Request Tracer::take_batch() {
  in_flight_ = std::min(queue_.size(), settings_.batch_size);
  net::Request request{.method = "POST", .target = settings_.target, .headers = settings_.headers};
  request.headers.emplace_back("Content-Type", "application/json");
  request.body = otlp_json(settings_.resource, queue_, in_flight_);
  queue_.erase(queue_.begin(), queue_.begin() + static_cast<std::ptrdiff_t>(in_flight_));
  return request;
}

void Tracer::note_success(const net::Response& reply) {
  const auto sent = std::exchange(in_flight_, 0);
  const auto rejected = std::min(sent, rejected_spans(reply.body));
  exported_.increment(static_cast<double>(sent - rejected));
  if (rejected > 0) drop("rejected", rejected);
  if (std::exchange(is_failing_, false)) log_.info("The OpenTelemetry collector accepts spans again");
}

void Tracer::note_failure(const Error& error, const char* reason) {
  drop(reason, std::exchange(in_flight_, 0));
  if (std::exchange(is_failing_, true)) return;
  log_.error(error, "Could not export trace spans; further failures are only counted",
             {{"endpoint", settings_.origin.host + ":" + settings_.origin.port + settings_.target}});
}

void Tracer::drop(const char* reason, std::size_t spans) {
  dropped_.with({reason}).increment(static_cast<double>(spans));
}

void register_series(metrics::Registry& registry) {
  exported_spans(registry);
  dropped_spans(registry);
}

Result<std::unique_ptr<Tracer>> make_tracer(asio::any_io_executor executor, async::Clock& clock, base::Random& random,
                                            const Logger& log, metrics::Registry& registry, Settings settings) {
  net::ClientOptions options;
  options.origin = settings.origin;
  if (!settings.certificate_file.empty()) {
    KEELSON_LET(options.tls.ca_pem, tls::read_pem_file(settings.certificate_file));
  }
  KEELSON_LET(auto http, net::make_http_client(executor, clock, std::move(options)));
  return std::make_unique<Tracer>(std::move(executor), clock, random, log, registry, std::move(settings),
                                  std::move(http));
}

}  // namespace keelson::tracing
