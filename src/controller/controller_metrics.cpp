#include "src/controller/controller_metrics.hpp"

#include <chrono>

#include "keelson/detail/metrics/names.hpp"

namespace keelson::controller {

namespace {

metrics::Counter& result(metrics::Registry& registry, const std::string& controller, const char* value) {
  const auto& series = metrics::kReconcileTotal;
  return registry.counter(series.name, series.help, {"controller", "result"}).with({controller, value});
}

metrics::Counter& counter(metrics::Registry& registry, const metrics::Series& series, const std::string& controller) {
  return registry.counter(series.name, series.help, {"controller"}).with({controller});
}

metrics::Gauge& gauge(metrics::Registry& registry, const metrics::Series& series, const std::string& controller) {
  return registry.gauge(series.name, series.help, {"controller"}).with({controller});
}

}  // namespace

ControllerMetrics::ControllerMetrics(metrics::Registry& registry, const std::string& controller,
                                     int max_concurrent_reconciles)
    : success(result(registry, controller, "success")),
      error(result(registry, controller, "error")),
      requeue_after(result(registry, controller, "requeue_after")),
      errors(counter(registry, metrics::kReconcileErrorsTotal, controller)),
      terminal_errors(counter(registry, metrics::kTerminalReconcileErrorsTotal, controller)),
      timeouts(counter(registry, metrics::kReconcileTimeoutsTotal, controller)),
      panics(counter(registry, metrics::kReconcilePanicsTotal, controller)),
      active_workers(gauge(registry, metrics::kActiveWorkers, controller)),
      controller_(controller),
      seconds_(registry.histogram(metrics::kReconcileTimeSeconds.name, metrics::kReconcileTimeSeconds.help,
                                  {"controller"}, metrics::reconcile_seconds_buckets())) {
  // Keelson never increments this counter, but dashboards divide by it.
  result(registry, controller, "requeue");
  gauge(registry, metrics::kMaxConcurrentReconciles, controller).set(max_concurrent_reconciles);
}

void ControllerMetrics::observe(async::Duration reconcile_time) {
  if (own_seconds_ == nullptr) own_seconds_ = &seconds_.with({controller_});
  own_seconds_->observe(std::chrono::duration<double>(reconcile_time).count());
}

}  // namespace keelson::controller
