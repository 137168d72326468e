// The controller_runtime_* series of a controller. All except the histogram exist from its start. Their names and help
// texts are in keelson/detail/metrics/names.hpp; keelson_* series are in the other *_metrics.hpp, by their subject.
#pragma once

#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/metrics/registry.hpp"

namespace keelson::controller {

class ControllerMetrics {
 public:
  ControllerMetrics(metrics::Registry& registry, const std::string& controller, int max_concurrent_reconciles);
  ControllerMetrics(const ControllerMetrics&) = delete;
  ControllerMetrics& operator=(const ControllerMetrics&) = delete;

  metrics::Counter& success;
  metrics::Counter& error;
  metrics::Counter& requeue_after;
  metrics::Counter& errors;
  metrics::Counter& terminal_errors;
  metrics::Counter& timeouts;
  metrics::Counter& panics;
  metrics::Gauge& active_workers;

  void observe(async::Duration reconcile_time);

 private:
  std::string controller_;
  metrics::HistogramFamily& seconds_;
  metrics::Histogram* own_seconds_ = nullptr;  // its series begins with the first observation, as in controller-runtime
};

}  // namespace keelson::controller
