// keelson_objects: the cached objects of each controller's own kind, by the status of each condition that its
// controller sets (Definition::sets_conditions).
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "keelson/cache/cache.hpp"
#include "keelson/controller/definition.hpp"
#include "keelson/controller/unhealthy_object.hpp"
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

  // Objects of which Degraded or Stalled is True, at most limits::kUnhealthyObjects, and their number.
  [[nodiscard]] const std::set<kube::Key>& unhealthy() const { return unhealthy_; }
  [[nodiscard]] std::size_t unhealthy_count() const { return unhealthy_count_; }
  // True when those that were remembered have recovered, and others are unhealthy: find them in the cache.
  [[nodiscard]] bool lacks_names() const;
  void find_unhealthy(const std::vector<kube::Object>& objects);

 private:
  [[nodiscard]] bool is_unhealthy(const std::vector<ConditionStatus>& statuses) const;
  void note_health(const cache::Event& event);
  void add(std::size_t condition, ConditionStatus status, double amount);

  ConditionScan scan_;
  std::vector<metrics::Gauge*> series_;  // by condition, then by status
  std::vector<ConditionStatus> before_;
  std::vector<ConditionStatus> after_;
  std::vector<std::size_t> bad_types_;  // the places of Degraded and Stalled
  std::set<kube::Key> unhealthy_;
  std::size_t unhealthy_count_ = 0;
};

// A kind and the informer of its objects.
struct CountedKind {
  const cache::Informer* informer;
  std::shared_ptr<ConditionMetrics> metrics;
};

// Declares the informers of the controllers' own kinds, with the conditions in their projections, and counts their
// objects. An existing kind of which only metadata is cached has no series: its conditions are not in the cache. Call
// it before the cache starts; the registry must outlive the cache.
std::vector<CountedKind> count_conditions(cache::Cache& cache, metrics::Registry& registry,
                                          const std::vector<Definition>& definitions);

// Those of all kinds, with the texts of their conditions: at most limits::kNamedUnhealthyObjects of each kind.
[[nodiscard]] std::vector<UnhealthyKind> unhealthy_kinds(const std::vector<CountedKind>& counted);

}  // namespace keelson::controller
