// keelson_objects: the cached objects of each controller's own kind, by the status of each condition that its
// controller sets (Definition::sets_conditions).
#pragma once

#include <string>
#include <vector>

#include "keelson/cache/cache.hpp"
#include "keelson/controller/definition.hpp"
#include "keelson/metrics/registry.hpp"
#include "src/controller/condition_scan.hpp"

namespace keelson::controller {

// The series of one informer. They change with each event by the difference between the old and the new state, so that
// neither an event nor a scrape reads other objects. Informers of one kind with different selectors share the series.
class ConditionMetrics {
 public:
  // All series of the kind exist from now on. At most limits::kCountedConditions conditions are counted.
  ConditionMetrics(metrics::Registry& registry, const kube::Resource& resource, std::vector<std::string> types);

  void observe(const cache::Event& event);

 private:
  void add(std::size_t condition, ConditionStatus status, double amount);

  ConditionScan scan_;
  std::vector<metrics::Gauge*> series_;  // by condition, then by status
  std::vector<ConditionStatus> before_;
  std::vector<ConditionStatus> after_;
};

// Declares the informers of the controllers' own kinds, with the conditions in their projections, and counts their
// objects. An existing kind of which only metadata is cached has no series: its conditions are not in the cache. Call
// it before the cache starts; the registry must outlive the cache.
void count_conditions(cache::Cache& cache, metrics::Registry& registry, const std::vector<Definition>& definitions);

}  // namespace keelson::controller
