#include "src/controller/condition_metrics.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "keelson/controller/own_condition.hpp"
#include "keelson/detail/controller/definition_parts.hpp"
#include "src/controller/condition_text.hpp"

namespace keelson::controller {

namespace {

std::vector<std::string> counted_conditions(std::vector<std::string> types) {
  if (types.size() > limits::kCountedConditions) types.resize(limits::kCountedConditions);
  return types;
}

// The most urgent first.
constexpr std::array<std::string_view, 4> kBadTypes{"Stalled", "Degraded", kConflictCondition, kPausedCondition};

// Empty if the object has changed since.
std::string problem_text(const kube::Object& object, std::string_view type) {
  for (const auto& condition : conditions_of(object)) {
    if (condition.type == type && condition.status == "True") return text_since(condition);
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
  for (const auto type : kBadTypes) {
    const auto found = std::ranges::find(scan_.types(), type);
    if (found != scan_.types().end()) unhealthy_.push_back({static_cast<std::size_t>(found - scan_.types().begin())});
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

void ConditionMetrics::note_health(const cache::Event& event) {
  for (auto& one : unhealthy_) {
    const bool was = event.before && before_[one.type] == ConditionStatus::kTrue;
    const bool is = event.after && after_[one.type] == ConditionStatus::kTrue;
    if (was == is) continue;
    if (is) {
      ++one.count;
      if (one.keys.size() < limits::kUnhealthyObjects) one.keys.insert(event.after->key());
    } else {
      --one.count;
      one.keys.erase(event.before->key());
    }
  }
}

bool ConditionMetrics::Unhealthy::lacks_names() const {
  return keys.size() < std::min(count, limits::kNamedUnhealthyObjects);
}

void ConditionMetrics::find_unhealthy(const std::vector<kube::Object>& objects) {
  for (const auto& object : objects) {
    scan_.read(object.json(), after_);
    for (auto& one : unhealthy_) {
      const bool is_bad = after_[one.type] == ConditionStatus::kTrue;
      if (is_bad && one.keys.size() < limits::kUnhealthyObjects) one.keys.insert(object.key());
    }
  }
}

void ConditionMetrics::add(std::size_t condition, ConditionStatus status, double amount) {
  series_[condition * kConditionStatuses.size() + static_cast<std::size_t>(status)]->add(amount);
}

std::vector<CountedKind> count_conditions(cache::Cache& cache, metrics::Registry& registry,
                                          const std::vector<Definition>& definitions) {
  std::vector<CountedKind> counted;
  for (const auto& definition : definitions) {
    const auto& watch = definition.parts().own_watch;
    if (definition.parts().conditions.empty() || std::holds_alternative<cache::OnlyMetadata>(watch.content)) continue;
    cache::InformerOptions options;
    options.resource = definition.resource();
    options.labels = watch.labels;
    options.fields = watch.fields;
    options.content = json::Projection::of({{"status", "conditions"}});
    auto& informer = cache.declare(std::move(options));
    // Two controllers of the kind with equal selectors share the informer.
    const auto is_same = [&](const auto& each) { return each.informer == &informer; };
    if (std::ranges::any_of(counted, is_same)) continue;
    // Shared, because a handler can be copied.
    auto series = std::make_shared<ConditionMetrics>(registry, definition.resource(), definition.parts().conditions);
    counted.push_back({&informer, series});
    informer.subscribe([series = std::move(series)](const cache::Event& event) { series->observe(event); });
  }
  return counted;
}

std::vector<UnhealthyKind> unhealthy_kinds(const std::vector<CountedKind>& counted) {
  std::vector<UnhealthyKind> kinds;
  for (const auto& [informer, metrics] : counted) {
    const auto& all = metrics->unhealthy();
    if (std::ranges::any_of(all, [](const auto& one) { return one.lacks_names(); })) {
      metrics->find_unhealthy(informer->list());
    }
    for (const auto& one : all) {
      if (one.count == 0) continue;
      const auto& type = metrics->name_of(one);
      UnhealthyKind kind{informer->resource().kind, one.count, {}, type, informer->resource().qualified_plural()};
      for (const auto& key : one.keys) {
        if (kind.objects.size() == limits::kNamedUnhealthyObjects) break;
        const auto object = informer->get(key);
        if (object) kind.objects.push_back({key.text(), problem_text(*object, type)});
      }
      kinds.push_back(std::move(kind));
    }
  }
  return kinds;
}

}  // namespace keelson::controller
