#include "src/controller/condition_metrics.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "keelson/controller/limits.hpp"

namespace keelson::controller {

namespace {

std::vector<std::string> counted_conditions(std::vector<std::string> types) {
  if (types.size() > limits::kCountedConditions) types.resize(limits::kCountedConditions);
  return types;
}

}  // namespace

ConditionMetrics::ConditionMetrics(metrics::Registry& registry, const kube::Resource& resource,
                                   std::vector<std::string> types)
    : scan_(counted_conditions(std::move(types))) {
  auto& family = registry.gauge("keelson_objects", "Objects in the cache by the status of a condition.",
                                {"group", "kind", "condition", "status"});
  for (const auto& condition : scan_.types()) {
    for (const auto status : kConditionStatuses) {
      series_.push_back(&family.with({resource.group, resource.kind, condition, status}));
    }
  }
}

void ConditionMetrics::observe(const cache::Event& event) {
  if (event.unchanged || (event.before && event.after && event.before->same_block(*event.after))) return;
  if (event.before) scan_.read(event.before->json(), before_);
  if (event.after) scan_.read(event.after->json(), after_);
  for (std::size_t i = 0; i < scan_.types().size(); ++i) {
    if (event.before && event.after && before_[i] == after_[i]) continue;
    if (event.before) add(i, before_[i], -1);
    if (event.after) add(i, after_[i], 1);
  }
}

void ConditionMetrics::add(std::size_t condition, ConditionStatus status, double amount) {
  series_[condition * kConditionStatuses.size() + static_cast<std::size_t>(status)]->add(amount);
}

void count_conditions(cache::Cache& cache, metrics::Registry& registry, const std::vector<Definition>& definitions) {
  std::vector<const cache::Informer*> counted;
  for (const auto& definition : definitions) {
    const auto& watch = definition.own_watch();
    if (definition.conditions().empty() || watch.only_metadata) continue;
    cache::InformerOptions options;
    options.resource = definition.resource();
    options.labels = watch.labels;
    options.fields = watch.fields;
    options.projection = json::Projection::of({{"status", "conditions"}});
    auto& informer = cache.declare(std::move(options));
    // Two controllers of the kind with equal selectors share the informer.
    if (std::find(counted.begin(), counted.end(), &informer) != counted.end()) continue;
    counted.push_back(&informer);
    // Shared, because a handler can be copied.
    auto series = std::make_shared<ConditionMetrics>(registry, definition.resource(), definition.conditions());
    informer.subscribe([series = std::move(series)](const cache::Event& event) { series->observe(event); });
  }
}

}  // namespace keelson::controller
