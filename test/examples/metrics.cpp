// The example of include/keelson/metrics/registry.hpp.
#include <cstddef>
#include <string>

#include "keelson/metrics/registry.hpp"

namespace keelson::examples {

// [registry]
// The metrics of a service, which resolves its series once, in its constructor.
class CacheMetrics {
 public:
  CacheMetrics(metrics::Registry& registry, const std::string& kind)
      : relists_(registry.counter("relists_total", "Total number of relists by kind.", {"kind"}).with({kind})),
        objects_(registry.gauge("objects", "Current number of objects by kind.", {"kind"}).with({kind})),
        hook_(registry.on_scrape([this] { objects_.set(static_cast<double>(count_)); })) {}

  void relisted() { relists_.increment(); }
  void added() { ++count_; }

 private:
  std::size_t count_ = 0;
  metrics::Counter& relists_;
  metrics::Gauge& objects_;
  metrics::ScrapeHook hook_;  // the last member: it ends first
};
// [end]

}  // namespace keelson::examples
