#include "src/sandbox/http/openapi_v2.hpp"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "keelson/detail/json/limits.hpp"
#include "keelson/json/value.hpp"
#include "keelson/json/writer.hpp"
#include "src/sandbox/fields/definitions.hpp"
#include "src/sandbox/http/openapi.hpp"
#include "src/sandbox/http/openapi_paths.hpp"
#include "src/sandbox/http/protobuf_writer.hpp"

namespace keelson::sandbox {

namespace {

constexpr std::string_view kV3Reference = "#/components/schemas/";
constexpr const char* kGroupVersionKind = "x-kubernetes-group-version-kind";

// A schema, limited to the keywords of version 2.
struct SchemaV2 {
  std::string reference;
  std::string description;
  std::string type;
  std::string format;
  std::vector<std::string> required;
  std::vector<std::string> names;
  std::vector<SchemaV2> properties;                             // a schema for each name
  std::vector<std::pair<std::string, std::string>> extensions;  // the values are JSON
  std::unique_ptr<SchemaV2> items;
  std::unique_ptr<SchemaV2> values;  // additionalProperties
};

std::string text_of_field(json::View schema, std::string_view name) {
  return std::string(schema.find(name).string().value_or(""));
}

std::string v2_reference(json::View schema) {
  auto name = schema.find("$ref").string();
  if (!name) name = schema.find("allOf").item(0).find("$ref").string();
  if (!name || !name->starts_with(kV3Reference)) return "";
  return "#/definitions/" + std::string(name->substr(kV3Reference.size()));
}

bool is_true(json::View schema, std::string_view name) { return schema.find(name).boolean().value_or(false); }

SchemaV2 schema_v2(json::View schema, std::size_t depth);

void add_parts(json::View schema, std::size_t depth, SchemaV2& result) {
  for (const auto& name : schema.find("required").items()) result.required.emplace_back(name.string().value_or(""));
  for (const auto& [name, property] : schema.find("properties").members()) {
    result.names.emplace_back(name);
    result.properties.push_back(schema_v2(property, depth + 1));
  }
  if (auto items = schema.find("items"); items.is_object()) {
    result.items = std::make_unique<SchemaV2>(schema_v2(items, depth + 1));
  }
  if (auto values = schema.find("additionalProperties"); values.is_object()) {
    result.values = std::make_unique<SchemaV2>(schema_v2(values, depth + 1));
  }
}

// Drops parts that clients of version 2 would enforce too strictly, as ToStructuralOpenAPIV2 in apiextensions-apiserver
// does.
SchemaV2 schema_v2(json::View schema, std::size_t depth) {
  SchemaV2 result;
  result.description = text_of_field(schema, "description");
  result.reference = v2_reference(schema);
  for (const auto& [name, value] : schema.members()) {
    if (name.starts_with("x-kubernetes-")) result.extensions.emplace_back(name, value.text());
  }
  if (!result.reference.empty() || depth > limits::kJsonDepth) return result;
  const bool is_open = is_true(schema, "x-kubernetes-preserve-unknown-fields") || is_true(schema, "nullable") ||
                       is_true(schema, "x-kubernetes-int-or-string");
  if (is_open) return result;
  result.type = text_of_field(schema, "type");
  result.format = text_of_field(schema, "format");
  // Quantities and ports may be numbers or strings; version 2 describes them as strings.
  if (result.type.empty() && schema.find("oneOf").size() > 0) result.type = "string";
  add_parts(schema, depth, result);
  return result;
}

void write_json(const SchemaV2& schema, json::Writer& writer) {
  writer.begin_object();
  if (!schema.description.empty()) writer.field("description", schema.description);
  if (!schema.reference.empty()) writer.field("$ref", schema.reference);
  if (!schema.type.empty()) writer.field("type", schema.type);
  if (!schema.format.empty()) writer.field("format", schema.format);
  if (!schema.required.empty()) {
    writer.key("required").begin_array();
    for (const auto& name : schema.required) writer.string(name);
    writer.end_array();
  }
  if (schema.items) write_json(*schema.items, writer.key("items"));
  if (schema.values) write_json(*schema.values, writer.key("additionalProperties"));
  if (!schema.properties.empty()) {
    writer.key("properties").begin_object();
    for (std::size_t i = 0; i < schema.names.size(); ++i) write_json(schema.properties[i], writer.key(schema.names[i]));
    writer.end_object();
  }
  for (const auto& [name, value] : schema.extensions) writer.raw_field(name, value);
  writer.end_object();
}

ProtobufWriter extension_message(const std::string& name, const std::string& json) {
  ProtobufWriter any;
  any.text(2, json);  // YAML, which includes JSON
  ProtobufWriter named;
  named.text(1, name).message(2, any);
  return named;
}

ProtobufWriter schema_message(const SchemaV2& schema);

ProtobufWriter named_schema(const std::string& name, const SchemaV2& schema) {
  ProtobufWriter named;
  named.text(1, name).message(2, schema_message(schema));
  return named;
}

ProtobufWriter schema_message(const SchemaV2& schema) {
  ProtobufWriter message;
  message.text(1, schema.reference).text(2, schema.format).text(4, schema.description);
  for (const auto& name : schema.required) message.text(19, name);
  if (schema.values) {
    ProtobufWriter values;
    values.message(1, schema_message(*schema.values));
    message.message(21, values);
  }
  if (!schema.type.empty()) {
    ProtobufWriter type;
    type.text(1, schema.type);
    message.message(22, type);
  }
  if (schema.items) {
    ProtobufWriter items;
    items.message(1, schema_message(*schema.items));
    message.message(23, items);
  }
  if (!schema.properties.empty()) {
    ProtobufWriter properties;
    for (std::size_t i = 0; i < schema.names.size(); ++i) {
      properties.message(1, named_schema(schema.names[i], schema.properties[i]));
    }
    message.message(25, properties);
  }
  for (const auto& [name, value] : schema.extensions) message.message(31, extension_message(name, value));
  return message;
}

std::optional<SchemaV2> read_schema(std::string_view json) {
  auto document = json::Document::parse(json);
  if (!document) return std::nullopt;
  return schema_v2(document->root(), 0);
}

bool is_schema(std::string_view definition) { return definition.starts_with("io.k8s."); }

// The members of the JSON object, and the entries of the message, for Kubernetes' own definitions; created once.
const std::string& built_in_json() {
  static const std::string kMembers = [] {
    std::string members;
    for (const auto& one : definitions()) {
      if (!is_schema(one.name)) continue;
      json::Writer writer;
      if (auto schema = read_schema(one.json)) write_json(*schema, writer);
      members += (members.empty() ? "\"" : ",\"") + std::string(one.name) + "\":" + std::move(writer).take();
    }
    return members;
  }();
  return kMembers;
}

const ProtobufWriter& built_in_message() {
  static const ProtobufWriter kEntries = [] {
    ProtobufWriter entries;
    for (const auto& one : definitions()) {
      if (!is_schema(one.name)) continue;
      if (auto schema = read_schema(one.json)) entries.message(1, named_schema(std::string(one.name), *schema));
    }
    return entries;
  }();
  return kEntries;
}

// The currently served custom kinds, by the names of their definitions.
std::vector<std::pair<std::string, SchemaV2>> custom_schemas(const Kinds& kinds) {
  std::vector<std::pair<std::string, SchemaV2>> found;
  for (const auto& kind : kinds.all()) {
    if (!kind.is_custom || !kind.is_served) continue;
    if (auto schema = read_schema(custom_definition(kind).text())) {
      found.emplace_back(openapi_name(kind), std::move(*schema));
    }
  }
  return found;
}

std::string patch_path(const kube::Resource& resource) {
  auto root = resource.group.empty() ? "/api/" + resource.version : "/apis/" + resource.group + "/" + resource.version;
  return root + (resource.namespaced ? "/namespaces/{namespace}/" : "/") + resource.plural + "/{name}";
}

std::string group_version_kind(const kube::Resource& resource) {
  json::Writer writer;
  writer.begin_object().field("group", resource.group).field("kind", resource.kind);
  return std::move(writer.field("version", resource.version).end_object()).take();
}

ProtobufWriter path_message(const kube::Resource& resource) {
  ProtobufWriter query;
  query.text(2, "query").text(4, "dryRun").text(6, "string");
  ProtobufWriter of_query;
  of_query.message(3, query);
  ProtobufWriter parameter;
  parameter.message(2, of_query);
  ProtobufWriter item;
  item.message(1, parameter);
  ProtobufWriter operation;
  operation.text(5, "patch" + resource.kind).message(8, item);
  operation.message(13, extension_message(kGroupVersionKind, group_version_kind(resource)));
  ProtobufWriter path;
  path.message(8, operation);
  ProtobufWriter named;
  named.text(1, patch_path(resource)).message(2, path);
  return named;
}

void write_path(const kube::Resource& resource, json::Writer& writer) {
  writer.key(patch_path(resource)).begin_object().key("patch").begin_object();
  writer.field("operationId", "patch" + resource.kind).key("parameters").begin_array();
  writer.begin_object().field("name", "dryRun").field("in", "query").field("type", "string").end_object().end_array();
  writer.raw_field("responses", R"({"200":{"description":"OK"}})");
  writer.raw_field(kGroupVersionKind, group_version_kind(resource)).end_object().end_object();
}

}  // namespace

std::string openapi_v2_json(const Kinds& kinds) {
  std::string document =
      R"({"swagger":"2.0","info":{"title":"Kubernetes","version":"v1.36.3"},"definitions":{)" + built_in_json();
  for (const auto& [name, schema] : custom_schemas(kinds)) {
    json::Writer writer;
    write_json(schema, writer);
    document += ",\"" + name + "\":" + std::move(writer).take();
  }
  json::Writer paths;
  paths.begin_object();
  for (const auto& kind : kinds.all()) {
    if (kind.is_served && kind.allows("patch")) write_path(kind.resource, paths);
  }
  return document + "},\"paths\":" + std::move(paths.end_object()).take() + "}";
}

std::string openapi_v2_protobuf(const Kinds& kinds) {
  ProtobufWriter info;
  info.text(1, "Kubernetes").text(2, "v1.36.3");
  ProtobufWriter paths;
  for (const auto& kind : kinds.all()) {
    if (kind.is_served && kind.allows("patch")) paths.message(2, path_message(kind.resource));
  }
  auto all = built_in_message();
  for (const auto& [name, schema] : custom_schemas(kinds)) all.message(1, named_schema(name, schema));
  ProtobufWriter document;
  document.text(1, "2.0").message(2, info).message(8, paths).message(9, all);
  return std::move(document).take();
}

}  // namespace keelson::sandbox
