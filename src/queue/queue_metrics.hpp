// The workqueue_* series of a queue. Depth, adds and unfinished work are computed at a scrape, so that adding and
// picking keys costs nothing more. Their names and help texts are in keelson/detail/metrics/names.hpp.
#pragma once

#include <map>
#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/metrics/registry.hpp"

namespace keelson::queue {

class QueuePolicy;

class QueueMetrics {
 public:
  // `policy` and `clock` must outlive this.
  QueueMetrics(metrics::Registry& registry, const std::string& name, const QueuePolicy& policy, async::Clock& clock);
  QueueMetrics(const QueueMetrics&) = delete;
  QueueMetrics& operator=(const QueueMetrics&) = delete;

  void handed_out(async::Duration waited);
  void finished(async::Duration worked);
  void count_retry() { retries_.increment(); }

 private:
  void refresh();
  metrics::Gauge& depth_of(int priority);

  std::string name_;
  const QueuePolicy& policy_;
  async::Clock& clock_;
  metrics::GaugeFamily& depth_;
  metrics::Counter& adds_;
  metrics::Histogram& queue_duration_;
  metrics::Histogram& work_duration_;
  metrics::Gauge& unfinished_;
  metrics::Gauge& longest_;
  metrics::Counter& retries_;
  std::map<int, metrics::Gauge*> depths_;
  metrics::Gauge* other_depths_ = nullptr;  // of all priorities beyond the limit
  metrics::ScrapeHook hook_;
};

}  // namespace keelson::queue
