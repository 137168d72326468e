#include "src/queue/queue_metrics.hpp"

#include <chrono>

#include "keelson/detail/metrics/names.hpp"
#include "src/queue/queue_policy.hpp"

namespace keelson::queue {

namespace {

double seconds(async::Duration duration) { return std::chrono::duration<double>(duration).count(); }

// controller-runtime's label value for priorities beyond the limit.
constexpr const char* kExceeded = "exceeded_cardinality_limit";

std::vector<std::string> labels() { return {"name", "controller"}; }

metrics::Counter& counter(metrics::Registry& registry, const metrics::Series& series, const std::string& name) {
  return registry.counter(series.name, series.help, labels()).with({name, name});
}

metrics::Gauge& gauge(metrics::Registry& registry, const metrics::Series& series, const std::string& name) {
  return registry.gauge(series.name, series.help, labels()).with({name, name});
}

metrics::Histogram& histogram(metrics::Registry& registry, const metrics::Series& series, const std::string& name) {
  return registry.histogram(series.name, series.help, labels(), metrics::workqueue_seconds_buckets())
      .with({name, name});
}

}  // namespace

QueueMetrics::QueueMetrics(metrics::Registry& registry, const std::string& name, const QueuePolicy& policy,
                           async::Clock& clock)
    : name_(name),
      policy_(policy),
      clock_(clock),
      depth_(registry.gauge(metrics::kWorkqueueDepth.name, metrics::kWorkqueueDepth.help,
                            {"name", "controller", "priority"})),
      adds_(counter(registry, metrics::kWorkqueueAddsTotal, name)),
      queue_duration_(histogram(registry, metrics::kWorkqueueQueueDurationSeconds, name)),
      work_duration_(histogram(registry, metrics::kWorkqueueWorkDurationSeconds, name)),
      unfinished_(gauge(registry, metrics::kWorkqueueUnfinishedWorkSeconds, name)),
      longest_(gauge(registry, metrics::kWorkqueueLongestRunningProcessorSeconds, name)),
      retries_(counter(registry, metrics::kWorkqueueRetriesTotal, name)),
      hook_(registry.on_scrape([this] { refresh(); })) {}

void QueueMetrics::handed_out(async::Duration waited) { queue_duration_.observe(seconds(waited)); }
void QueueMetrics::finished(async::Duration worked) { work_duration_.observe(seconds(worked)); }

void QueueMetrics::refresh() {
  adds_.advance_to(static_cast<double>(policy_.total_adds()));
  auto work = policy_.work(clock_.now());
  unfinished_.set(seconds(work.unfinished));
  longest_.set(seconds(work.longest));
  // Gauges are set to zero and then added up, because priorities beyond the limit share a child.
  for (auto& [priority, child] : depths_) child->set(0);
  if (other_depths_ != nullptr) other_depths_->set(0);
  for (const auto& [priority, depth] : policy_.depths()) depth_of(priority).add(static_cast<double>(depth));
}

metrics::Gauge& QueueMetrics::depth_of(int priority) {
  auto found = depths_.find(priority);
  if (found != depths_.end()) return *found->second;
  if (depths_.size() >= limits::kPriorityLabels) {
    other_depths_ = &depth_.with({name_, name_, kExceeded});
    return *other_depths_;
  }
  auto text = std::to_string(priority);
  auto& child = depth_.with({name_, name_, text});
  depths_.emplace(priority, &child);
  return child;
}

}  // namespace keelson::queue
