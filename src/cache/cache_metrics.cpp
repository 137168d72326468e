#include "src/cache/cache_metrics.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "src/cache/shared_informer.hpp"

namespace keelson::cache {

CacheMetrics::CacheMetrics(metrics::Registry& registry, const std::vector<std::unique_ptr<SharedInformer>>& informers)
    : registry_(registry), informers_(informers), hook_(registry.on_scrape([this] { refresh(); })) {}

// A kind has several informers if controllers select different objects: the series are sums, and the greatest age.
void CacheMetrics::refresh() {
  std::map<std::pair<std::string, std::string>, CacheFigures> kinds;
  for (const auto& informer : informers_) {
    auto& sum = kinds[{informer->resource().group, informer->resource().kind}];
    const auto figures = informer->figures();
    sum = {sum.objects + figures.objects, sum.bytes + figures.bytes, std::max(sum.age_seconds, figures.age_seconds)};
  }
  const std::vector<std::string> labels{"group", "kind"};
  auto& objects = registry_.gauge("keelson_cache_objects", "Objects in the cache.", labels);
  auto& bytes = registry_.gauge("keelson_cache_bytes", "Bytes of the objects in the cache.", labels);
  auto& age =
      registry_.gauge("keelson_cache_age_seconds", "Seconds since the API server last sent data of a kind.", labels);
  for (const auto& [kind, sum] : kinds) {
    objects.with({kind.first, kind.second}).set(sum.objects);
    bytes.with({kind.first, kind.second}).set(sum.bytes);
    age.with({kind.first, kind.second}).set(sum.age_seconds);
  }
}

ReflectorMetrics::ReflectorMetrics(metrics::Registry& registry, const kube::Resource& resource)
    : relists_(registry.counter("keelson_cache_relists_total", "Number of relists of a kind.", {"group", "kind"})
                   .with({resource.group, resource.kind})) {
  auto& events =
      registry.counter("keelson_watch_events_total", "Number of watch events received.", {"group", "kind", "type"});
  for (const auto* type : {"ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR"}) {
    events_.push_back(&events.with({resource.group, resource.kind, type}));
  }
}

InformerMetrics::InformerMetrics(metrics::Registry& registry, const kube::Resource& resource)
    : unchanged_(
          registry
              .counter("keelson_cache_unchanged_updates_total",
                       "Number of updates that changed no stored field of an object, so that no reconcile followed.",
                       {"group", "kind"})
              .with({resource.group, resource.kind})) {}

}  // namespace keelson::cache
