// keelson_objects: the cached objects of each controller's own kind, by the status of each condition that its
// controller sets (Definition::sets_conditions).
#pragma once

#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "keelson/controller/definition.hpp"
#include "keelson/detail/cache/cache.hpp"
#include "keelson/detail/controller/unhealthy_object.hpp"
#include "keelson/metrics/registry.hpp"
#include "src/controller/condition_scan.hpp"

namespace keelson::limits {

// Conditions of a kind that keelson_objects counts, each with four series; a family has at most 1000.
inline constexpr std::size_t kCountedConditions = 32;

// Objects of a kind that are remembered for /statusz for one condition (Stalled, Degraded, Conflict, Paused), 100 bytes
// each, and those that it names: an engineer reads them. keelson_objects counts all.
inline constexpr std::size_t kUnhealthyObjects = 1000;
inline constexpr std::size_t kNamedUnhealthyObjects = 20;

}  // namespace keelson::limits

namespace keelson::controller {

// The series of one informer. They change with each event by the difference between the old and the new state, so that
// neither an event nor a scrape reads other objects. Informers of one kind with different selectors share the series.
class ConditionMetrics {
 public:
  // All series of the kind exist from now on. At most limits::kCountedConditions conditions are counted.
  ConditionMetrics(metrics::Registry& registry, const kube::Resource& resource, std::vector<std::string> types);

  void observe(const cache::Event& event);

  // The objects of which one of these conditions is True: Stalled, Degraded, Conflict, Paused.
  struct Unhealthy {
    std::size_t type;               // the place in the scanned types
    std::set<kube::Key> keys = {};  // at most limits::kUnhealthyObjects
    std::size_t count = 0;          // of all
    // True when those that were remembered have recovered, and others have not: find them in the cache.
    [[nodiscard]] bool lacks_names() const;
  };
  [[nodiscard]] const std::vector<Unhealthy>& unhealthy() const { return unhealthy_; }
  [[nodiscard]] const std::string& name_of(const Unhealthy& one) const { return scan_.types()[one.type]; }
  void find_unhealthy(const std::vector<kube::Object>& objects);

 private:
  void note_health(const cache::Event& event);
  void add(std::size_t condition, ConditionStatus status, double amount);

  ConditionScan scan_;
  std::vector<metrics::Gauge*> series_;  // by condition, then by status
  std::vector<ConditionStatus> before_;
  std::vector<ConditionStatus> after_;
  std::vector<Unhealthy> unhealthy_;
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
