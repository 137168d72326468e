#include "src/sandbox/kinds/version_view.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "keelson/base/try.hpp"
#include "src/sandbox/fields/field_validation.hpp"

namespace keelson::sandbox {

namespace {

// The fields of Events: the names in events.k8s.io/v1 and in v1.
constexpr std::array<std::pair<const char*, const char*>, 7> kEventFields{
    {{"regarding", "involvedObject"},
     {"note", "message"},
     {"reportingController", "reportingComponent"},
     {"deprecatedSource", "source"},
     {"deprecatedFirstTimestamp", "firstTimestamp"},
     {"deprecatedLastTimestamp", "lastTimestamp"},
     {"deprecatedCount", "count"}}};

void rename_event_fields(Tree& event, bool to_stored) {
  for (auto& [name, value] : event.members()) {
    const auto* found = std::ranges::find(kEventFields, name, [to_stored](const auto& names) {
      return std::string_view(to_stored ? names.first : names.second);
    });
    if (found != kEventFields.end()) name = to_stored ? found->second : found->first;
  }
}

Tree event_to_stored(Tree event) {
  rename_event_fields(event, true);
  // The fields of v1 that are never omitted.
  for (const char* name : {"firstTimestamp", "lastTimestamp", "eventTime"}) event.set_default(name, Tree());
  event.set_default("source", Tree::object());
  event.set_default("involvedObject", Tree::object());
  event.set_default("reportingComponent", "");
  event.set_default("reportingInstance", "");
  return event;
}

Tree event_from_stored(Tree event) {
  rename_event_fields(event, false);
  // An empty field is omitted, as by Go's encoder.
  for (const char* name : {"reportingController", "reportingInstance", "note"}) {
    const Tree* value = event.find(name);
    if (value != nullptr && value->is_string() && value->scalar().empty()) event.erase(name);
  }
  return event;
}

std::string event_field(const std::string& field) {
  constexpr std::string_view kRegarding = "regarding.";
  if (field.starts_with(kRegarding)) return "involvedObject." + field.substr(kRegarding.size());
  if (field == "reportingController") return "reportingComponent";
  const bool is_same = field == "reason" || field == "type" || field.starts_with("metadata.");
  return is_same ? field : "";
}

// A target for the CPU, the only metric of autoscaling/v1.
bool is_cpu_target(const Tree& metric) {
  return metric.text_at({"type"}) == "Resource" && metric.text_at({"resource", "name"}) == "cpu" &&
         metric.text_at({"resource", "target", "type"}) == "Utilization";
}

Tree autoscaler_to_stored(Tree scaler) {
  Tree* spec = scaler.find("spec");
  if (spec == nullptr) return scaler;
  if (const Tree* percentage = spec->find("targetCPUUtilizationPercentage")) {
    auto target = Tree::object({{"type", "Utilization"}, {"averageUtilization", *percentage}});
    auto resource = Tree::object({{"name", "cpu"}, {"target", target}});
    auto metric = Tree::object({{"type", "Resource"}, {"resource", resource}});
    (*spec)["metrics"] = Tree::array({metric});
    spec->erase("targetCPUUtilizationPercentage");
  }
  return scaler;
}

Tree autoscaler_from_stored(Tree scaler) {
  if (Tree* spec = scaler.find("spec")) {
    for (const auto& metric : std::vector<Tree>(spec->items_at({"metrics"}))) {
      const Tree* percentage = metric.at({"resource", "target", "averageUtilization"});
      if (is_cpu_target(metric) && percentage != nullptr) (*spec)["targetCPUUtilizationPercentage"] = *percentage;
    }
    for (const char* name : {"metrics", "behavior"}) spec->erase(name);
  }
  if (Tree* status = scaler.find("status")) {
    for (const char* name : {"currentMetrics", "conditions"}) status->erase(name);
    status->set_default("currentReplicas", 0);
  }
  return scaler;
}

void keep_from(const Tree* live, Tree* parent, const char* name) {
  const Tree* value = live != nullptr ? live->find(name) : nullptr;
  if (parent != nullptr && value != nullptr) (*parent)[name] = *value;
}

// The metrics of autoscaling/v1 come last, as on the real server.
void keep_other_metrics(const Tree& live, Tree& spec) {
  auto metrics = Tree::array();
  if (const Tree* had = live.at({"spec", "metrics"})) {
    for (const auto& metric : had->items()) {
      if (!is_cpu_target(metric)) metrics.items().push_back(metric);
    }
  }
  if (metrics.items().empty()) return;
  if (const Tree* target = spec.find("metrics")) {
    for (const auto& metric : target->items()) metrics.items().push_back(metric);
  }
  spec["metrics"] = metrics;
}

Tree autoscaler_with_hidden(Tree scaler, const Tree& live) {
  Tree* spec = scaler.find("spec");
  if (spec != nullptr) keep_other_metrics(live, *spec);
  keep_from(live.find("spec"), spec, "behavior");
  for (const char* name : {"currentMetrics", "conditions"}) {
    keep_from(live.find("status"), scaler.find("status"), name);
  }
  return scaler;
}

std::string autoscaler_field(const std::string& field) { return field.starts_with("metadata.") ? field : ""; }

void set_type(Tree& object, const kube::Resource& resource) {
  for (const char* name : {"kind", "apiVersion"}) object.erase(name);
  object.members().emplace_front("apiVersion", resource.api_version());
  object.members().emplace_front("kind", resource.kind);
}

Tree viewed(const ServedKind& view, Tree object) {
  auto result = version_view(view.resource)->from_stored(std::move(object));
  set_type(result, view.resource);
  return result;
}

RejectionOr<Answer> write_through_view(const World& world, const Call& call,
                                       const std::function<RejectionOr<Answer>(const Call&)>& answer) {
  KEELSON_LET(auto body, object_in(call));
  auto as_sent = call;
  as_sent.kind = call.view;
  FieldReading fields(as_sent);
  KEELSON_TRY(fields.read(body));
  auto version = body.text_at({"apiVersion"});
  if (version.empty() || version == call.view->resource.api_version()) {
    const auto* live = world.store.find(*call.kind, call.key);
    body = as_stored(call, std::move(body), live != nullptr ? &live->stored().tree : nullptr);
  }
  auto placed = call;
  placed.body = body.text();
  placed.repeated_keys.reset();
  return fields.with_warnings(answer(placed));
}

}  // namespace

const VersionView* version_view(const kube::Resource& resource) {
  static const VersionView kEvents{kube::core_events(), event_to_stored, event_from_stored, event_field};
  static const VersionView kAutoscalers{{"autoscaling", "v2", "HorizontalPodAutoscaler", "horizontalpodautoscalers"},
                                        autoscaler_to_stored,
                                        autoscaler_from_stored,
                                        autoscaler_field,
                                        autoscaler_with_hidden};
  if (resource.group == "events.k8s.io" && resource.plural == "events") return &kEvents;
  if (resource.group == "autoscaling" && resource.version == "v1") return &kAutoscalers;
  return nullptr;
}

const ServedKind* other_version(const World& world, const ServedKind& kind) {
  if (kind.is_custom) return nullptr;
  if (const auto* view = version_view(kind.resource)) return world.kinds.find(view->stored);
  static const kube::Resource kEvents("events.k8s.io", "v1", "Event", "events");
  static const kube::Resource kScalers("autoscaling", "v1", "HorizontalPodAutoscaler", "horizontalpodautoscalers");
  for (const auto* view : {&kEvents, &kScalers}) {
    if (version_view(*view)->stored == kind.resource) return world.kinds.find(*view);
  }
  return nullptr;
}

Tree in_version(const ServedKind& kind, Tree object) {
  return version_view(kind.resource) != nullptr ? viewed(kind, std::move(object)) : object;
}

Tree as_stored(const Call& call, Tree object, const Tree* live) {
  const auto* view = version_view(call.view->resource);
  object = view->to_stored(std::move(object));
  if (view->with_hidden != nullptr && live != nullptr) object = view->with_hidden(std::move(object), *live);
  set_type(object, call.resource());
  return object;
}

RejectionOr<Answer> answer_through_view(const World& world, const Call& call,
                                        const std::function<RejectionOr<Answer>(const Call&)>& answer) {
  const bool has_object = call.verb == kube::Verb::kCreate || call.verb == kube::Verb::kUpdate;
  auto outcome = has_object ? write_through_view(world, call, answer) : answer(call);
  if (outcome) outcome->body = as_viewed(*call.view, outcome->body);
  return outcome;
}

std::string as_viewed(const ServedKind& view, std::string_view json) {
  auto tree = Tree::parse(json);
  if (!tree) return std::string(json);
  auto kind = tree->text_at({"kind"});
  if (kind == view.resource.kind) return viewed(view, std::move(*tree)).text();
  if (kind != view.list_kind()) return std::string(json);
  (*tree)["apiVersion"] = view.resource.api_version();
  const auto* conversion = version_view(view.resource);
  for (auto& item : (*tree)["items"].items()) item = conversion->from_stored(std::move(item));
  return tree->text();
}

}  // namespace keelson::sandbox
