#include "src/controller/condition_metrics.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "keelson/controller/limits.hpp"
#include "src/controller/condition_text.hpp"

namespace keelson::controller {

namespace {

std::vector<std::string> counted_conditions(std::vector<std::string> types) {
  if (types.size() > limits::kCountedConditions) types.resize(limits::kCountedConditions);
  return types;
}

// The first of Stalled and Degraded; empty if the object has changed since.
std::string problem_text(const kube::Object& object) {
  for (const char* type : {"Stalled", "Degraded"}) {
    for (const auto& condition : conditions_of(object)) {
      if (condition.type == type && condition.status == "True") return text_since(condition);
    }
  }
  return "";
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
  for (std::size_t i = 0; i < scan_.types().size(); ++i) {
    if (scan_.types()[i] == "Degraded" || scan_.types()[i] == "Stalled") bad_types_.push_back(i);
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
  note_health(event);
}

bool ConditionMetrics::is_unhealthy(const std::vector<ConditionStatus>& statuses) const {
  return std::any_of(bad_types_.begin(), bad_types_.end(),
                     [&](std::size_t type) { return statuses[type] == ConditionStatus::kTrue; });
}

void ConditionMetrics::note_health(const cache::Event& event) {
  const bool was = event.before && is_unhealthy(before_);
  const bool is = event.after && is_unhealthy(after_);
  if (was == is) return;
  if (is) {
    ++unhealthy_count_;
    if (unhealthy_.size() < limits::kUnhealthyObjects) unhealthy_.insert(event.after->key());
  } else {
    --unhealthy_count_;
    unhealthy_.erase(event.before->key());
  }
}

bool ConditionMetrics::lacks_names() const {
  return unhealthy_.size() < std::min(unhealthy_count_, limits::kNamedUnhealthyObjects);
}

void ConditionMetrics::find_unhealthy(const std::vector<kube::Object>& objects) {
  for (const auto& object : objects) {
    if (unhealthy_.size() >= limits::kUnhealthyObjects) return;
    scan_.read(object.json(), after_);
    if (is_unhealthy(after_)) unhealthy_.insert(object.key());
  }
}

void ConditionMetrics::add(std::size_t condition, ConditionStatus status, double amount) {
  series_[condition * kConditionStatuses.size() + static_cast<std::size_t>(status)]->add(amount);
}

std::vector<CountedKind> count_conditions(cache::Cache& cache, metrics::Registry& registry,
                                          const std::vector<Definition>& definitions) {
  std::vector<CountedKind> counted;
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
    const auto is_same = [&](const auto& each) { return each.informer == &informer; };
    if (std::any_of(counted.begin(), counted.end(), is_same)) continue;
    // Shared, because a handler can be copied.
    auto series = std::make_shared<ConditionMetrics>(registry, definition.resource(), definition.conditions());
    counted.push_back({&informer, series});
    informer.subscribe([series = std::move(series)](const cache::Event& event) { series->observe(event); });
  }
  return counted;
}

std::vector<UnhealthyKind> unhealthy_kinds(const std::vector<CountedKind>& counted) {
  std::vector<UnhealthyKind> kinds;
  for (const auto& [informer, metrics] : counted) {
    if (metrics->unhealthy_count() == 0) continue;
    if (metrics->lacks_names()) metrics->find_unhealthy(informer->list());
    UnhealthyKind kind{informer->resource().kind, metrics->unhealthy_count(), {}};
    for (const auto& key : metrics->unhealthy()) {
      if (kind.objects.size() == limits::kNamedUnhealthyObjects) break;
      const auto object = informer->get(key);
      if (object) kind.objects.push_back({key.text(), problem_text(*object)});
    }
    kinds.push_back(std::move(kind));
  }
  return kinds;
}

}  // namespace keelson::controller
