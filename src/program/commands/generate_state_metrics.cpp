#include "src/program/commands/generate_state_metrics.hpp"

#include <algorithm>
#include <cctype>
#include <initializer_list>

#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/controller/definition_parts.hpp"
#include "keelson/detail/json/yaml.hpp"
#include "keelson/json/value.hpp"
#include "keelson/json/writer.hpp"
#include "src/program/commands/generate.hpp"

namespace keelson::program {

namespace {

constexpr std::string_view kStateMetricsHead =
    "# Series of each object for kube-state-metrics 2 (--custom-resource-state-config-file): docs/operations.md.\n"
    "# `generate kube-state-metrics` writes this file.\n";

using Path = std::initializer_list<std::string_view>;

// "lastScheduleTime" becomes "last_schedule_time".
std::string snake_case(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const bool is_upper = c >= 'A' && c <= 'Z';
    if (is_upper && !out.empty()) out += '_';
    out += is_upper ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out;
}

// What a name of a metric may contain.
std::string metric_name(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return text;
}

void write_path(json::Writer& writer, std::string_view key, Path path) {
  writer.key(key).begin_array();
  for (const auto part : path) writer.string(part);
  writer.end_array();
}

// `type` is Gauge, with its member "gauge". The caller writes the members of that object and calls end_metric().
void begin_metric(json::Writer& writer, std::string_view name, std::string_view help, std::string_view type,
                  std::string_view member) {
  writer.begin_object().field("name", name).field("help", help).key("each").begin_object().field("type", type);
  writer.key(member).begin_object();
}

void end_metric(json::Writer& writer) { writer.end_object().end_object().end_object(); }

void write_gauge(json::Writer& writer, const std::string& name, std::string_view help, Path path) {
  begin_metric(writer, name, help, "Gauge", "gauge");
  write_path(writer, "path", path);
  end_metric(writer);
}

void write_info(json::Writer& writer) {
  begin_metric(writer, "info", "The object: always 1.", "Info", "info");
  writer.key("labelsFromPath").begin_object();
  write_path(writer, "uid", {"metadata", "uid"});
  writer.end_object();
  end_metric(writer);
}

// A series for each condition and each possible status; the one of the current status is 1.
void write_conditions(json::Writer& writer) {
  begin_metric(writer, "status_condition", "1 for the current status of a condition.", "StateSet", "stateSet");
  write_path(writer, "path", {"status", "conditions"});
  write_path(writer, "valueFrom", {"status"});
  writer.field("labelName", "status");
  writer.key("labelsFromPath").begin_object();
  write_path(writer, "type", {"type"});
  writer.end_object();
  write_path(writer, "list", {"True", "False", "Unknown"});
  end_metric(writer);
}

// kube-state-metrics converts booleans to 0 and 1, and times to seconds since 1970.
bool is_gauge(json::View schema) {
  const auto type = schema.find("type").string().value_or("");
  return type == "integer" || type == "number" || type == "boolean" ||
         (type == "string" && schema.find("format").string() == "date-time");
}

void write_fields(json::Writer& writer, std::string_view section, const std::string& schema) {
  if (schema.empty()) return;
  const auto document = json::Document::parse(schema);
  KEELSON_ASSERT(document.has_value());
  for (const auto& [name, field] : document->root().find("properties").members()) {
    if (!is_gauge(field)) continue;
    const auto help = "." + std::string(section) + "." + std::string(name) + ".";
    write_gauge(writer, std::string(section) + "_" + snake_case(name), help, {section, name});
  }
}

void write_resource(json::Writer& writer, const kube::Kind& kind, const std::string& prefix) {
  const auto& resource = kind.resource;
  writer.begin_object().key("groupVersionKind").begin_object();
  writer.field("group", resource.group).field("version", resource.version).field("kind", resource.kind).end_object();
  writer.field("resourcePlural", resource.plural).field("metricNamePrefix", prefix);
  // A field that an object does not have is not an error: most fields are optional.
  writer.field("errorLogV", 10);
  writer.key("labelsFromPath").begin_object();
  if (resource.namespaced) write_path(writer, "namespace", {"metadata", "namespace"});
  write_path(writer, "name", {"metadata", "name"});
  writer.end_object().key("metrics").begin_array();
  write_info(writer);
  write_gauge(writer, "metadata_generation", "Increases with each change of the spec.", {"metadata", "generation"});
  write_gauge(writer, "metadata_deletion_timestamp", "The time at which the object was deleted: finalizers remain.",
              {"metadata", "deletionTimestamp"});
  write_conditions(writer);
  write_fields(writer, "spec", kind.spec_schema);
  write_fields(writer, "status", kind.status_schema);
  writer.end_array().end_object();
}

bool has_conditions(const kube::Kind& kind, const std::vector<controller::Definition>& definitions) {
  return std::ranges::any_of(definitions, [&](const auto& definition) {
    return definition.resource() == kind.resource && !definition.parts().conditions.empty();
  });
}

}  // namespace

std::string state_metrics_yaml(const std::vector<controller::Definition>& definitions, const kube::OperatorName& name) {
  const auto kinds = controller::kinds_of(definitions);
  json::Writer writer;
  writer.begin_object().field("kind", "CustomResourceStateMetrics").key("spec").begin_object();
  writer.key("resources").begin_array();
  bool is_empty = true;
  for (const auto& kind : kinds) {
    if (!has_conditions(kind, definitions)) continue;
    is_empty = false;
    write_resource(writer, kind, metric_name(name.text() + "_" + short_name(kind, kinds)));
  }
  if (is_empty) return "";
  writer.end_array().end_object().end_object();
  const auto document = json::Document::parse(std::move(writer).take());
  KEELSON_ASSERT(document.has_value());
  return std::string(kStateMetricsHead) + json::to_yaml(document->root());
}

}  // namespace keelson::program
