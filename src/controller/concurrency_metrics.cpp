#include "src/controller/concurrency_metrics.hpp"

#include "src/controller/concurrency_limiter.hpp"

namespace keelson::controller {

const char* reason_of(Overload sign) {
  switch (sign) {
    case Overload::kThrottled:
      return "throttled";
    case Overload::kUnavailable:
      return "unavailable";
    case Overload::kLatency:
      return "latency";
  }
  return "";
}

ConcurrencyMetrics::ConcurrencyMetrics(metrics::Registry& registry, const ConcurrencyLimiter& limiter)
    : hook_(registry.on_scrape([&registry, &limiter] {
        registry
            .gauge("keelson_concurrency_limit",
                   "Objects that all controllers together may reconcile at once; less than keelson_concurrency_workers "
                   "while the API server is overloaded.",
                   {})
            .with({})
            .set(limiter.limit());
        registry.gauge("keelson_concurrency_workers", "Workers of all controllers together.", {})
            .with({})
            .set(limiter.workers());
        registry.gauge("keelson_concurrency_in_use", "Objects that are being reconciled.", {})
            .with({})
            .set(limiter.in_use());
      })) {
  auto& reductions = registry.counter("keelson_concurrency_reductions_total",
                                      "Number of times the limit was reduced, by the sign of overload.", {"reason"});
  for (const auto sign : {Overload::kThrottled, Overload::kUnavailable, Overload::kLatency}) {
    reductions_[static_cast<std::size_t>(sign)] = &reductions.with({reason_of(sign)});
  }
}

}  // namespace keelson::controller
