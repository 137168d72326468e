#include "src/sandbox/http/openapi.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "keelson/detail/base/hex.hpp"
#include "keelson/detail/tls/sha256.hpp"
#include "keelson/json/writer.hpp"
#include "src/sandbox/fields/definitions.hpp"
#include "src/sandbox/http/openapi_paths.hpp"
#include "src/sandbox/requests/texts.hpp"

namespace keelson::sandbox {

namespace {

// Change this version when the form of the documents changes.
constexpr const char* kForm = "1";
constexpr const char* kMeta = "io.k8s.apimachinery.pkg.apis.meta.v1.";

Tree described(const char* text, const char* type) { return Tree::object({{"description", text}, {"type", type}}); }

Tree described_reference(const char* text, const std::string& name) {
  auto reference = Tree::object({{"$ref", "#/components/schemas/" + name}});
  return Tree::object({{"description", text}, {"allOf", Tree::array({reference})}});
}

void add_type_meta(Tree& properties) {
  properties["apiVersion"] = described(
      "APIVersion defines the versioned schema of this representation of an object. Servers should convert recognized "
      "schemas to the latest internal value, and may reject unrecognized values. More info: "
      "https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources",
      "string");
  properties["kind"] = described(
      "Kind is a string value representing the REST resource this object represents. Servers may infer this from the "
      "endpoint the client submits requests to. Cannot be updated. In CamelCase. More info: "
      "https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds",
      "string");
}

void add_object_meta(Tree& properties) {
  add_type_meta(properties);
  properties["metadata"] = described_reference(
      "Standard object's metadata. More info: "
      "https://git.k8s.io/community/contributors/devel/sig-architecture/"
      "api-conventions.md#metadata",
      std::string(kMeta) + "ObjectMeta");
}

Tree own_kind(const ServedKind& kind, const std::string& name) {
  return Tree::array(
      {Tree::object({{"group", kind.resource.group}, {"kind", name}, {"version", kind.resource.version}})});
}

// Adds the parts that the server adds to the schema of a definition.
void complete(Tree& schema) {
  if (schema.is_true_at({"x-kubernetes-int-or-string"}) && schema.find("anyOf") == nullptr) {
    schema["anyOf"] = Tree::array({Tree::object({{"type", "integer"}}), Tree::object({{"type", "string"}})});
  }
  if (Tree* items = schema.find("items")) complete(*items);
  if (Tree* values = schema.find("additionalProperties"); values != nullptr && values->is_object()) complete(*values);
  if (Tree* properties = schema.find("properties")) {
    for (auto& [name, property] : properties->members()) complete(property);
  }
  if (!schema.is_true_at({"x-kubernetes-embedded-resource"})) return;
  add_object_meta(schema["properties"]);
  auto& required = list_in(schema, "required");
  for (const char* name : {"kind", "apiVersion"}) {
    if (!contains(std::as_const(required), Tree(name))) required.emplace_back(name);
  }
}

void add_selectable_fields(const ServedKind& kind, Tree& schema) {
  auto fields = Tree::array();
  for (const auto& path : kind.selectable_fields) fields.items().push_back(Tree::object({{"fieldPath", path}}));
  if (!fields.is_empty()) schema["x-kubernetes-selectable-fields"] = std::move(fields);
}

// Adds the named definitions, and those that they refer to.
void add_definitions(std::set<std::string> named, std::map<std::string, std::string>& schemas) {
  while (!named.empty()) {
    auto name = named.extract(named.begin()).value();
    const auto* found = find_definition(name);
    if (found == nullptr || !schemas.emplace(name, found->described()).second) continue;
    for (auto other : found->references()) {
      if (!schemas.contains(std::string(other))) named.emplace(other);
    }
  }
}

}  // namespace

Tree custom_definition(const ServedKind& kind) {
  auto schema = kind.schema.is_object() ? kind.schema : Tree::object();
  complete(schema);
  add_object_meta(schema["properties"]);
  schema["type"] = "object";
  schema["x-kubernetes-group-version-kind"] = own_kind(kind, kind.resource.kind);
  add_selectable_fields(kind, schema);
  return schema;
}

Tree custom_list(const ServedKind& kind, const std::string& name) {
  auto properties = Tree::object();
  add_type_meta(properties);
  auto item = Tree::object({{"$ref", "#/components/schemas/" + name}});
  auto text = "List of " + kind.resource.plural +
              ". More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md";
  properties["items"] = Tree::object({{"description", text}, {"type", "array"}, {"items", item}});
  properties["metadata"] = described_reference(
      "Standard list metadata. More info: "
      "https://git.k8s.io/community/contributors/devel/sig-architecture/"
      "api-conventions.md#types-kinds",
      std::string(kMeta) + "ListMeta");
  auto list = Tree::object({{"description", kind.list_kind() + " is a list of " + kind.resource.kind},
                            {"type", "object"},
                            {"required", Tree::array({"items"})},
                            {"properties", properties},
                            {"x-kubernetes-group-version-kind", own_kind(kind, kind.list_kind())}});
  add_selectable_fields(kind, list);
  return list;
}

Tree openapi_index(const Kinds& kinds) {
  auto paths = Tree::object();
  for (const auto& group : kinds.groups()) {
    for (const auto& version : group.versions) {
      const GroupVersion of{group.name, version};
      auto path = api_root(kube::Resource(group.name, version, "", "")).substr(1);
      paths[path] = Tree::object({{"serverRelativeURL", "/openapi/v3/" + path + "?hash=" + openapi_hash(kinds, of)}});
    }
  }
  return Tree::object({{"paths", paths}});
}

std::optional<GroupVersion> openapi_group(const Kinds& kinds, const std::string& path) {
  GroupVersion of;
  if (path.starts_with("api/")) {
    of.version = path.substr(4);
  } else if (path.starts_with("apis/")) {
    auto slash = path.find('/', 5);
    if (slash == std::string::npos) return std::nullopt;
    of = {path.substr(5, slash - 5), path.substr(slash + 1)};
    if (of.group.empty()) return std::nullopt;
  }
  if (of.version.empty() || !kinds.serves(of.group, of.version)) return std::nullopt;
  return of;
}

std::string openapi_hash(const Kinds& kinds, const GroupVersion& of) {
  auto parts = Tree::array({kForm, of.group, of.version, std::int64_t{definitions_checksum()}});
  for (const auto* kind : kinds.of_version(of.group, of.version)) {
    if (!kind->is_custom) continue;
    parts.items().emplace_back(kind->resource.kind);
    parts.items().emplace_back(kind->resource.namespaced);
    parts.items().emplace_back(kind->has_status);
    parts.items().emplace_back(kind->has_scale);
    parts.items().push_back(kind->schema);
    for (const auto& path : kind->selectable_fields) parts.items().emplace_back(path);
  }
  return base::to_hex(tls::sha256(parts.text()), base::HexLetters::kUpper);
}

std::string openapi_document(const Kinds& kinds, const GroupVersion& of) {
  auto paths = Tree::object();
  std::set<std::string> named;
  std::map<std::string, std::string> schemas;
  for (const auto* kind : kinds.of_version(of.group, of.version)) {
    add_openapi_paths(*kind, paths, named);
    if (!kind->is_custom) continue;
    auto name = openapi_name(*kind);
    schemas[name] = custom_definition(*kind).text();
    schemas[name + "List"] = custom_list(*kind, name).text();
    named.insert({std::string(kMeta) + "ObjectMeta", std::string(kMeta) + "ListMeta"});
  }
  add_definitions(std::move(named), schemas);
  std::string document = R"({"components":{"schemas":{)";
  std::string_view separator;
  for (const auto& [name, schema] : schemas) {
    document += std::exchange(separator, ",");
    json::append_quoted(document, name);
    document += ":" + schema;
  }
  document += R"(},"securitySchemes":{"BearerToken":{"description":"Bearer Token authentication","in":"header",)"
              R"("name":"authorization","type":"apiKey"}}},"info":{"title":"Kubernetes","version":"v1.36.3"},)"
              R"("openapi":"3.0.0","paths":)";
  return document + paths.text() + "}";
}

}  // namespace keelson::sandbox
