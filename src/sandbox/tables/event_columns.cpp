#include "src/sandbox/tables/table_columns.hpp"

#include "keelson/detail/base/text.hpp"

namespace keelson::sandbox {

namespace {

// The value by its name in v1, or else by its name in events.k8s.io/v1.
const Tree* either(const Tree& event, std::initializer_list<std::string_view> core,
                   std::initializer_list<std::string_view> other) {
  const Tree* found = event.at(core);
  return found != nullptr && !found->is_null() ? found : event.at(other);
}

Tree first_seen(const Tree& event, WallTime now) {
  const Tree* first = either(event, {"firstTimestamp"}, {"deprecatedFirstTimestamp"});
  const bool has_first = first != nullptr && !first->is_null();
  return {since(has_first ? first : event.find("eventTime"), now)};
}

Tree last_seen(const Tree& event, WallTime now) {
  if (const Tree* observed = event.at({"series", "lastObservedTime"})) return {since(observed, now)};
  const Tree* last = either(event, {"lastTimestamp"}, {"deprecatedLastTimestamp"});
  const bool has_last = last != nullptr && !last->is_null();
  return has_last ? Tree(since(last, now)) : first_seen(event, now);
}

Tree count(const Tree& event, WallTime /*now*/) {
  if (event.find("series") != nullptr) return {event.integer_at({"series", "count"})};
  const Tree* times = either(event, {"count"}, {"deprecatedCount"});
  return times != nullptr && times->scalar() != "0" ? *times : Tree(1);
}

std::string object_of(const Tree& event) {
  auto kind = base::to_lower(text_or(either(event, {"involvedObject", "kind"}, {"regarding", "kind"}), ""));
  auto name = text_or(either(event, {"involvedObject", "name"}, {"regarding", "name"}), "");
  return name.empty() ? kind : kind + "/" + name;
}

std::string subobject_of(const Tree& event) {
  return text_or(either(event, {"involvedObject", "fieldPath"}, {"regarding", "fieldPath"}), "");
}

std::string source_of(const Tree& event) {
  auto component = text_or(either(event, {"source", "component"}, {"deprecatedSource", "component"}), "");
  auto host = text_or(either(event, {"source", "host"}, {"deprecatedSource", "host"}), "");
  if (component.empty()) component = text_or(either(event, {"reportingComponent"}, {"reportingController"}), "");
  if (host.empty()) host = event.text_at({"reportingInstance"});
  return host.empty() ? component : component + ", " + host;
}

std::string message_of(const Tree& event) {
  return std::string(base::trim(text_or(either(event, {"message"}, {"note"}), "")));
}

// "50%" or "100m", depending on the form of the target.
std::string measured(const Tree* values, bool is_average_value) {
  if (values == nullptr) return "<unknown>";
  if (is_average_value) return text_or(values->find("averageValue"), "<unknown>");
  const Tree* utilization = values->find("averageUtilization");
  return utilization != nullptr ? utilization->scalar() + "%" : "<unknown>";
}

std::string resource_metric(const Tree& source, const Tree* current) {
  bool is_average = source.at({"target", "averageValue"}) != nullptr;
  auto target = measured(source.find("target"), is_average);
  if (target == "<unknown>") target = "<auto>";
  return source.text_at({"name"}) + ": " + measured(current, is_average) + "/" + target;
}

std::string other_metric(const std::string& type, const Tree& source, const Tree* current) {
  bool is_average = source.at({"target", "averageValue"}) != nullptr;
  const char* form = is_average ? "averageValue" : "value";
  auto now = text_or(current != nullptr ? current->find(form) : nullptr, "<unknown>");
  auto target = text_or(source.at({"target", form}), "0");
  return now + "/" + target + (is_average && type != "Pods" ? " (avg)" : "");
}

std::string metric_text(const Tree& metric, const Tree* status) {
  auto type = metric.text_at({"type"});
  auto member = type;
  if (!member.empty()) member[0] = base::to_lower(member[0]);
  const Tree* source = metric.find(member);
  if (source == nullptr) return "<unknown type>";
  const Tree* current = status != nullptr ? status->at({member, "current"}) : nullptr;
  if (type == "Resource" || type == "ContainerResource") return resource_metric(*source, current);
  return other_metric(type, *source, current);
}

std::string metrics_of(const Tree& autoscaler) {
  const auto& metrics = autoscaler.items_at({"spec", "metrics"});
  const auto& statuses = autoscaler.items_at({"status", "currentMetrics"});
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < metrics.size() && i < 2; ++i) {
    texts.push_back(metric_text(metrics[i], i < statuses.size() ? &statuses[i] : nullptr));
  }
  if (texts.empty()) return "<none>";
  auto text = base::join(texts, ", ");
  return metrics.size() > 2 ? text + " + " + std::to_string(metrics.size() - 2) + " more..." : text;
}

std::string scaled_object(const Tree& autoscaler) {
  const Tree* target = autoscaler.at({"spec", "scaleTargetRef"});
  return target == nullptr ? "/" : target->text_at({"kind"}) + "/" + target->text_at({"name"});
}

}  // namespace

Columns event_columns() {
  auto name = name_column();
  name.priority = 1;
  return {{"Last Seen", last_seen},
          text_column("Type", "type"),
          text_column("Reason", "reason"),
          computed_column("Object", object_of),
          computed_column("Subobject", subobject_of, 1),
          computed_column("Source", source_of, 1),
          computed_column("Message", message_of),
          {"First Seen", first_seen, "string", 1},
          {"Count", count, "string", 1},
          name};
}

Columns autoscaler_columns() {
  return {name_column(),
          computed_column("Reference", scaled_object),
          computed_column("Targets", metrics_of),
          text_column("MinPods", "spec.minReplicas", "<unset>"),
          number_column("MaxPods", "spec.maxReplicas", "string"),
          number_column("Replicas", "status.currentReplicas", "string"),
          age_column()};
}

}  // namespace keelson::sandbox
