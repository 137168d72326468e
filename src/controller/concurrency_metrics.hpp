// The keelson_concurrency_* series of a process.
#pragma once

#include <array>

#include "keelson/metrics/registry.hpp"
#include "src/controller/concurrency_policy.hpp"

namespace keelson::controller {

class ConcurrencyLimiter;

// The label `reason` of a reduction, and the field of the log line: throttled, unavailable, latency.
[[nodiscard]] const char* reason_of(Overload sign);

class ConcurrencyMetrics {
 public:
  // Both must outlive this.
  ConcurrencyMetrics(metrics::Registry& registry, const ConcurrencyLimiter& limiter);
  ConcurrencyMetrics(const ConcurrencyMetrics&) = delete;
  ConcurrencyMetrics& operator=(const ConcurrencyMetrics&) = delete;

  void count(Overload sign) { reductions_[static_cast<std::size_t>(sign)]->increment(); }

 private:
  std::array<metrics::Counter*, 3> reductions_{};
  metrics::ScrapeHook hook_;
};

}  // namespace keelson::controller
