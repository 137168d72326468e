#include "keelson/detail/schema/crd.hpp"

#include <algorithm>

#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/base/misuse.hpp"
#include "keelson/detail/json/yaml.hpp"
#include "keelson/json/value.hpp"
#include "keelson/json/writer.hpp"
#include "src/schema/rule_check.hpp"

namespace keelson::kube {

namespace {

constexpr std::string_view kApiVersionText =
    "APIVersion defines the versioned schema of this representation of an object.\n"
    "Servers should convert recognized schemas to the latest internal value, and\n"
    "may reject unrecognized values.\n"
    "More info: "
    "https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources";
constexpr std::string_view kKindText =
    "Kind is a string value representing the REST resource this object represents.\n"
    "Servers may infer this from the endpoint the client submits requests to.\n"
    "Cannot be updated.\n"
    "In CamelCase.\n"
    "More info: "
    "https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds";

bool has_required_member(const std::string& schema) {
  const auto document = json::Document::parse(schema);
  if (!document) throw base::Misuse("kube::Kind: a schema is not JSON: " + document.error().message());
  return document->root().find("required").size() > 0;
}

void write_string_property(json::Writer& writer, std::string_view name, std::string_view description) {
  writer.key(name).begin_object().field("description", description).field("type", "string").end_object();
}

// The API server rejects a rule whose field_path names a field that the schema does not declare.
void write_metadata(json::Writer& writer, const Kind& kind) {
  const auto is_about_name = [](const CelRule& rule) { return rule.field_path == ".metadata.name"; };
  writer.key("metadata").begin_object();
  if (std::ranges::any_of(kind.rules, is_about_name)) {
    writer.key("properties").begin_object().key("name").begin_object().field("type", "string");
    writer.end_object().end_object();
  }
  writer.field("type", "object").end_object();
}

// Inserts the default at its sorted position.
void write_status(json::Writer& writer, const Kind& kind) {
  const auto document = json::Document::parse(kind.status_schema);
  KEELSON_ASSERT(document.has_value());
  auto fallback = status_default(kind);
  writer.key("status").begin_object();
  for (const auto& [name, value] : document->root().members()) {
    if (fallback && name > "default") {
      writer.raw_field("default", *fallback);
      fallback.reset();
    }
    writer.field(name, value);
  }
  writer.end_object();
}

void write_properties(json::Writer& writer, const Kind& kind) {
  writer.key("properties").begin_object();
  write_string_property(writer, "apiVersion", kApiVersionText);
  write_string_property(writer, "kind", kKindText);
  write_metadata(writer, kind);
  if (!kind.spec_schema.empty()) writer.raw_field("spec", kind.spec_schema);
  if (!kind.status_schema.empty()) write_status(writer, kind);
  writer.end_object();
}

void write_rules(json::Writer& writer, const Kind& kind) {
  if (kind.rules.empty()) return;
  writer.key("x-kubernetes-validations");
  detail::write_rule_list(writer, kind.rules);
}

void write_schema(json::Writer& writer, const Kind& kind) {
  writer.key("schema").begin_object().key("openAPIV3Schema").begin_object();
  if (!kind.description.empty()) writer.field("description", kind.description);
  write_properties(writer, kind);
  if (!kind.spec_schema.empty() && has_required_member(kind.spec_schema)) {
    writer.key("required").begin_array().string("spec").end_array();
  }
  writer.field("type", "object");
  write_rules(writer, kind);
  writer.end_object().end_object();
}

void write_columns(json::Writer& writer, const Kind& kind) {
  if (kind.columns.empty()) return;
  writer.key("additionalPrinterColumns").begin_array();
  for (const PrinterColumn& column : kind.columns) {
    writer.begin_object();
    if (!column.description.empty()) writer.field("description", column.description);
    if (!column.format.empty()) writer.field("format", column.format);
    writer.field("jsonPath", column.json_path).field("name", column.name);
    if (column.priority != 0) writer.field("priority", std::int64_t{column.priority});
    writer.field("type", column.type).end_object();
  }
  writer.end_array();
}

void write_subresources(json::Writer& writer, const Kind& kind) {
  writer.key("subresources").begin_object();
  if (kind.has_scale) {
    writer.key("scale").begin_object();
    if (!kind.scale.selector.empty()) writer.field("labelSelectorPath", kind.scale.selector);
    writer.field("specReplicasPath", kind.scale.spec_replicas);
    writer.field("statusReplicasPath", kind.scale.status_replicas);
    writer.end_object();
  }
  writer.key("status").begin_object().end_object();
  writer.end_object();
}

void write_selectable_fields(json::Writer& writer, const Kind& kind) {
  if (kind.selectable_fields.empty()) return;
  writer.key("selectableFields").begin_array();
  for (const std::string& path : kind.selectable_fields) {
    writer.begin_object().field("jsonPath", path).end_object();
  }
  writer.end_array();
}

void write_texts(json::Writer& writer, std::string_view name, const std::vector<std::string>& texts) {
  if (texts.empty()) return;
  writer.key(name).begin_array();
  for (const std::string& text : texts) writer.string(text);
  writer.end_array();
}

void write_map(json::Writer& writer, std::string_view name, const std::map<std::string, std::string>& values) {
  if (values.empty()) return;
  writer.key(name).begin_object();
  for (const auto& [key, value] : values) writer.field(key, value);
  writer.end_object();
}

void write_names(json::Writer& writer, const Kind& kind) {
  writer.key("names").begin_object();
  write_texts(writer, "categories", kind.categories);
  writer.field("kind", kind.resource.kind).field("listKind", kind.resource.kind + "List");
  writer.field("plural", kind.resource.plural);
  write_texts(writer, "shortNames", kind.short_names);
  writer.field("singular", kind.singular);
  writer.end_object();
}

void write_version(json::Writer& writer, const Kind& version, std::string_view stored) {
  writer.begin_object();
  write_columns(writer, version);
  if (version.is_deprecated) writer.field("deprecated", true);
  if (!version.deprecation_warning.empty()) writer.field("deprecationWarning", version.deprecation_warning);
  writer.field("name", version.resource.version);
  write_schema(writer, version);
  write_selectable_fields(writer, version);
  writer.field("served", version.is_served).field("storage", version.resource.version == stored);
  write_subresources(writer, version);
  writer.end_object();
}

// Sorted by name, as controller-gen does, so that a new version changes few lines.
void write_versions(json::Writer& writer, const Kind& kind) {
  const auto& stored = kind.storage_version.empty() ? kind.resource.version : kind.storage_version;
  std::vector<const Kind*> versions{&kind};
  for (const Kind& other : kind.other_versions) versions.push_back(&other);
  std::ranges::sort(
      versions, [](const Kind* left, const Kind* right) { return left->resource.version < right->resource.version; });
  writer.key("versions").begin_array();
  for (const Kind* version : versions) write_version(writer, *version, stored);
  writer.end_array();
}

}  // namespace

std::string custom_resource_definition(const Kind& kind) {
  check_kind(kind);
  json::Writer writer;
  writer.begin_object();
  writer.field("apiVersion", "apiextensions.k8s.io/v1").field("kind", "CustomResourceDefinition");
  writer.key("metadata").begin_object();
  write_map(writer, "annotations", kind.annotations);
  write_map(writer, "labels", kind.labels);
  writer.field("name", kind.resource.qualified_plural()).end_object();
  writer.key("spec").begin_object();
  writer.field("group", kind.resource.group);
  write_names(writer, kind);
  writer.field("scope", kind.resource.namespaced ? "Namespaced" : "Cluster");
  write_versions(writer, kind);
  writer.end_object().end_object();
  return std::move(writer).take();
}

std::string custom_resource_definition_yaml(const Kind& kind) {
  const auto document = json::Document::parse(custom_resource_definition(kind));
  KEELSON_ASSERT(document.has_value());
  return "---\n" + json::to_yaml(document->root());
}

}  // namespace keelson::kube
