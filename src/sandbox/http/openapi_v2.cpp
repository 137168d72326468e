#include "src/sandbox/http/openapi_v2.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "keelson/detail/base/parse_number.hpp"
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
constexpr std::string_view kExtension = "x-kubernetes-";
constexpr const char* kGroupVersionKind = "x-kubernetes-group-version-kind";

std::string v2_reference(json::View schema) {
  auto name = schema.find("$ref").string();
  if (!name) name = schema.find("allOf").item(0).find("$ref").string();
  if (!name || !name->starts_with(kV3Reference)) return "";
  return "#/definitions/" + std::string(name->substr(kV3Reference.size()));
}

void copy_text(json::View from, Tree& to, std::string_view name) {
  const auto text = from.find(name).string();
  if (text && !text->empty()) to[name] = *text;
}

bool is_true(json::View schema, std::string_view name) { return schema.find(name).boolean().value_or(false); }

// Keywords of values that both versions have.
constexpr const char* kValueKeywords[] = {
    "title",    "format",           "example",       "externalDocs",  "maximum",   "exclusiveMaximum",
    "minimum",  "exclusiveMinimum", "maxLength",     "minLength",     "pattern",   "maxItems",
    "minItems", "uniqueItems",      "maxProperties", "minProperties", "multipleOf"};

Tree schema_v2(json::View schema, std::size_t depth);

bool is_nullable(json::View schema) { return is_true(schema, "nullable"); }

// Clients of version 2 would reject a null in a required field.
void add_required(json::View schema, Tree& made) {
  if (is_nullable(schema.find("additionalProperties"))) return;
  std::set<std::string> omitted;
  for (const auto& [name, property] : schema.find("properties").members()) {
    if (is_nullable(property)) omitted.emplace(name);
  }
  const bool is_open = is_true(schema, "x-kubernetes-preserve-unknown-fields");
  if (is_open && is_true(schema, "x-kubernetes-embedded-resource")) omitted.insert({"kind", "apiVersion"});
  for (const auto& item : schema.find("required").items()) {
    auto name = std::string(item.string().value_or(""));
    if (!omitted.contains(name)) list_in(made, "required").emplace_back(std::move(name));
  }
}

void add_type(json::View schema, Tree& made) {
  copy_text(schema, made, "type");
  // Quantities and ports of built-in kinds may be numbers or strings; version 2 describes them as strings.
  if (made.find("type") == nullptr && schema.find("oneOf").size() > 0) made["type"] = "string";
}

void add_parts(json::View schema, std::size_t depth, Tree& made) {
  add_type(schema, made);
  if (auto items = schema.find("items"); items.is_object()) made["items"] = schema_v2(items, depth + 1);
  auto properties = Tree::object();
  for (const auto& [name, property] : schema.find("properties").members()) {
    properties.members().emplace_back(name, schema_v2(property, depth + 1));
  }
  set_or_erase(made, "properties", std::move(properties));
}

// The schema, limited to the keywords of version 2. Drops parts that clients of version 2 would enforce too strictly,
// as ToStructuralOpenAPIV2 in apiextensions-apiserver does.
Tree schema_v2(json::View schema, std::size_t depth) {
  auto made = Tree::object();
  copy_text(schema, made, "description");
  const auto reference = v2_reference(schema);
  if (!reference.empty()) made["$ref"] = reference;
  if (reference.empty() && depth <= limits::kJsonDepth) {
    const bool is_open = is_true(schema, "x-kubernetes-preserve-unknown-fields") || is_nullable(schema) ||
                         is_true(schema, "x-kubernetes-int-or-string");
    if (!is_open) add_parts(schema, depth, made);
    for (const char* name : kValueKeywords) {
      if (auto value = schema.find(name); !value.is_absent()) made[name] = Tree::from(value);
    }
    if (auto values = schema.find("enum"); values.size() > 0) made["enum"] = Tree::from(values);
    add_required(schema, made);
    const auto values = schema.find("additionalProperties");
    if (values.is_object()) made["additionalProperties"] = schema_v2(values, depth + 1);
    if (values.boolean()) made["additionalProperties"] = *values.boolean();
  }
  for (const auto& [name, value] : schema.members()) {
    if (name.starts_with(kExtension)) made[name] = Tree::raw(value.text());
  }
  return made;
}

// A message whose only field, 1, has this message.
ProtobufWriter enclosing(const ProtobufWriter& inner) {
  ProtobufWriter outer;
  outer.message(1, inner);
  return outer;
}

ProtobufWriter any_message(const Tree& value) {
  ProtobufWriter any;
  any.text(2, value.text());
  return any;
}

ProtobufWriter extension_message(const std::string& name, const std::string& json) {
  ProtobufWriter any;
  any.text(2, json);  // YAML, which includes JSON
  ProtobufWriter named;
  named.text(1, name).message(2, any);
  return named;
}

ProtobufWriter schema_message(const Tree& schema);

ProtobufWriter named_schema(const std::string& name, const Tree& schema) {
  ProtobufWriter named;
  named.text(1, name).message(2, schema_message(schema));
  return named;
}

// The numbers of fields in the message Schema of gnostic.
struct NumberedKeyword {
  const char* name;
  std::uint32_t field;
};
constexpr NumberedKeyword kTexts[] = {{"$ref", 1}, {"format", 2}, {"title", 3}, {"description", 4}, {"pattern", 13}};
constexpr NumberedKeyword kDecimals[] = {{"multipleOf", 6}, {"maximum", 7}, {"minimum", 9}};
constexpr NumberedKeyword kCounts[] = {{"maxLength", 11}, {"minLength", 12},     {"maxItems", 14},
                                       {"minItems", 15},  {"maxProperties", 17}, {"minProperties", 18}};
constexpr NumberedKeyword kFlags[] = {{"exclusiveMaximum", 8}, {"exclusiveMinimum", 10}, {"uniqueItems", 16}};

void write_values(const Tree& schema, ProtobufWriter& message) {
  for (const auto& [name, field] : kTexts) message.text(field, schema.text_at({name}));
  for (const auto& [name, field] : kDecimals) {
    const Tree* value = schema.find(name);
    if (value != nullptr) message.floating(field, base::parse_number<double>(value->scalar()).value_or(0));
  }
  for (const auto& [name, field] : kCounts) {
    if (const auto count = schema.integer_at({name})) message.number(field, static_cast<std::uint64_t>(count));
  }
  for (const auto& [name, field] : kFlags) {
    if (schema.is_true_at({name})) message.number(field, 1);
  }
}

// The values of a map: any, or those of a schema.
ProtobufWriter additional_message(const Tree& values) {
  if (values.is_object()) return enclosing(schema_message(values));
  ProtobufWriter flag;
  return values == Tree(true) ? flag.number(2, 1) : flag;
}

ProtobufWriter schema_message(const Tree& schema) {
  ProtobufWriter message;
  write_values(schema, message);
  for (const auto& name : schema.items_at({"required"})) message.text(19, name.scalar());
  for (const auto& value : schema.items_at({"enum"})) message.message(20, any_message(value));
  if (const Tree* values = schema.find("additionalProperties")) message.message(21, additional_message(*values));
  if (const Tree* type = schema.find("type")) {
    ProtobufWriter types;
    types.text(1, type->scalar());
    message.message(22, types);
  }
  if (const Tree* items = schema.find("items")) message.message(23, enclosing(schema_message(*items)));
  if (const Tree* properties = schema.find("properties")) {
    ProtobufWriter all;
    for (const auto& [name, property] : properties->members()) all.message(1, named_schema(name, property));
    message.message(25, all);
  }
  for (const auto& [name, value] : schema.members()) {
    if (name.starts_with(kExtension)) message.message(31, extension_message(name, value.scalar()));
  }
  return message;
}

std::optional<Tree> read_schema(std::string_view json) {
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
      const auto schema = read_schema(one.described());
      members += (members.empty() ? "\"" : ",\"") + std::string(one.name) + "\":" + (schema ? schema->text() : "");
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
      if (auto schema = read_schema(one.described())) entries.message(1, named_schema(std::string(one.name), *schema));
    }
    return entries;
  }();
  return kEntries;
}

// kubectl would reject each field that is not listed, even those of the metadata.
Tree without_fields(const Tree& schema) {
  auto open = Tree::object({{"type", "object"}});
  open[kGroupVersionKind] = schema.copy_at({kGroupVersionKind});
  return open;
}

// The definitions of the currently served custom kinds and of their lists, by name.
std::vector<std::pair<std::string, Tree>> custom_schemas(const Kinds& kinds) {
  std::vector<std::pair<std::string, Tree>> found;
  for (const auto& kind : kinds.all()) {
    if (!kind.is_custom || !kind.is_served) continue;
    const auto name = openapi_name(kind);
    if (auto schema = read_schema(custom_definition(kind).text())) {
      if (kind.schema.is_true_at({"x-kubernetes-preserve-unknown-fields"})) schema = without_fields(*schema);
      found.emplace_back(name, std::move(*schema));
    }
    if (auto list = read_schema(custom_list(kind, name).text())) found.emplace_back(name + "List", std::move(*list));
  }
  return found;
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
  named.text(1, collection_path(resource) + "/{name}").message(2, path);
  return named;
}

void write_path(const kube::Resource& resource, json::Writer& writer) {
  writer.key(collection_path(resource) + "/{name}").begin_object().key("patch").begin_object();
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
    document += ",\"" + name + "\":" + schema.text();
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
