// The keelson_cache_* and keelson_watch_* series of a process. A new gauge goes into CacheFigures, a new counter into
// ReflectorMetrics if the reflector counts it, otherwise into a class of its own that SharedInformer owns.
#pragma once

#include <memory>
#include <vector>

#include "keelson/detail/kube/watch.hpp"
#include "keelson/metrics/registry.hpp"
#include "keelson/schema/identity.hpp"

namespace keelson::cache {

class SharedInformer;

// The gauges of an informer.
struct CacheFigures {
  double objects = 0;
  double bytes = 0;
  double age_seconds = 0;  // since the last data from the API server
};

// The gauges of all informers, which are computed at a scrape.
class CacheMetrics {
 public:
  // Both must outlive this.
  CacheMetrics(metrics::Registry& registry, const std::vector<std::unique_ptr<SharedInformer>>& informers);
  CacheMetrics(const CacheMetrics&) = delete;
  CacheMetrics& operator=(const CacheMetrics&) = delete;

 private:
  void refresh();

  metrics::Registry& registry_;
  const std::vector<std::unique_ptr<SharedInformer>>& informers_;
  metrics::ScrapeHook hook_;
};

// The counters of a reflector. They exist from its start.
class ReflectorMetrics {
 public:
  ReflectorMetrics(metrics::Registry& registry, const kube::Resource& resource);

  void count_relist() { relists_.increment(); }
  void count_event(kube::WatchEvent::Type type) { events_[static_cast<std::size_t>(type)]->increment(); }

 private:
  metrics::Counter& relists_;
  std::vector<metrics::Counter*> events_;  // in the order of kube::WatchEvent::Type
};

// The counter of an informer.
class InformerMetrics {
 public:
  InformerMetrics(metrics::Registry& registry, const kube::Resource& resource);

  void count_unchanged() { unchanged_.increment(); }

 private:
  metrics::Counter& unchanged_;
};

}  // namespace keelson::cache
