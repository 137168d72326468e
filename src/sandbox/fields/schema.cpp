#include "src/sandbox/fields/schema.hpp"

#include <map>

#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/base/text_hash.hpp"
#include "src/sandbox/fields/definitions.hpp"

namespace keelson::sandbox {

namespace {

using Type = Schema::Type;

constexpr std::string_view kReference = "#/components/schemas/";

// Shortens "io.k8s.api.apps.v1.DeploymentSpec" to "v1.DeploymentSpec".
std::string go_name(std::string_view definition) {
  auto dot = definition.rfind('.');
  auto package = definition.rfind('.', dot - 1);
  return std::string(definition.substr(package + 1));
}

std::string reference_of(json::View schema) {
  auto text = schema.find("$ref").string();
  if (!text) text = schema.find("allOf").item(0).find("$ref").string();
  return text ? std::string(text->substr(kReference.size())) : "";
}

void read_scalar(json::View schema, Schema& made) {
  auto type = schema.find("type").string().value_or("");
  auto format = schema.find("format").string().value_or("");
  if (type == "string") {
    made.type = format == "byte" ? Type::kBytes : Type::kString;
    made.go_type = format == "byte" ? "[]uint8" : "string";
  } else if (type == "integer") {
    made.type = Type::kInteger;
    made.is_wide = format == "int64";
    made.go_type = made.is_wide ? "int64" : "int32";
  } else if (type == "number") {
    made.type = Type::kNumber;
    made.go_type = "float64";
  } else if (type == "boolean") {
    made.type = Type::kBool;
    made.go_type = "bool";
  }
}

SchemaPart part_of(json::View schema, std::string_view field);
std::string go_type_of(json::View schema, const SchemaPart& part);

PatchKey patch_key(json::View schema) {
  auto strategy = schema.find("x-kubernetes-patch-strategy").string().value_or("");
  return {.merges = strategy.find("merge") != std::string_view::npos,
          .replaces = strategy.find("replace") != std::string_view::npos,
          .key = std::string(schema.find("x-kubernetes-patch-merge-key").string().value_or(""))};
}

std::unique_ptr<Schema> compiled(json::View schema) {
  auto made = std::make_unique<Schema>();
  auto properties = schema.find("properties");
  if (properties.size() > 0) {
    made->type = Type::kObject;
    made->names = std::make_unique<std::string[]>(properties.size());
    std::size_t index = 0;
    for (const auto& [name, property] : properties.members()) {
      made->names[index] = name;
      made->fields.emplace(made->names[index], SchemaField{part_of(property, name), patch_key(property)});
      ++index;
    }
  } else if (schema.find("type").string() == "array") {
    made->type = Type::kList;
    made->items = part_of(schema.find("items"), "");
    made->go_type = "[]" + go_type_of(schema.find("items"), made->items);
  } else if (schema.find("additionalProperties").is_object()) {
    made->type = Type::kMap;
    made->items = part_of(schema.find("additionalProperties"), "");
    auto value = go_type_of(schema.find("additionalProperties"), made->items);
    made->go_type = value == "resource.Quantity" ? "v1.ResourceList" : "map[string]" + value;
  } else {
    read_scalar(schema, *made);
  }
  return made;
}

std::string go_type_of(json::View schema, const SchemaPart& part) {
  auto definition = reference_of(schema);
  return definition.empty() ? part.schema().go_type : go_name(definition);
}

SchemaPart part_of(json::View schema, std::string_view field) {
  auto definition = reference_of(schema);
  if (!definition.empty()) return SchemaPart(std::move(definition));
  auto made = compiled(schema);
  if (field == "uid" && made->type == Type::kString) made->go_type = "types.UID";
  return SchemaPart(std::move(made));
}

// Types with decoders of their own in Go.
bool read_special(std::string_view name, Schema& made) {
  static const std::map<std::string_view, std::pair<Type, const char*>> special{
      {"io.k8s.apimachinery.pkg.api.resource.Quantity", {Type::kQuantity, "resource.Quantity"}},
      {"io.k8s.apimachinery.pkg.util.intstr.IntOrString", {Type::kIntOrString, "int32"}},
      {"io.k8s.apimachinery.pkg.apis.meta.v1.Time", {Type::kTime, "string"}},
      {"io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime", {Type::kMicroTime, "string"}},
  };
  auto found = special.find(name);
  if (found == special.end()) return false;
  made.type = found->second.first;
  made.go_type = found->second.second;
  return true;
}

// Compiles only the parts that decide which fields are retained.
std::unique_ptr<Schema> pruning_schema(const Tree& openapi) {
  auto made = std::make_unique<Schema>();
  const bool is_whole =
      openapi.is_true_at({"x-kubernetes-embedded-resource"}) || openapi.is_true_at({"x-kubernetes-int-or-string"});
  if (is_whole) return made;
  auto type = openapi.text_at({"type"});
  const Tree* properties = openapi.find("properties");
  const Tree* values = openapi.find("additionalProperties");
  made->keeps_unknown =
      openapi.is_true_at({"x-kubernetes-preserve-unknown-fields"}) || openapi.is_true_at({"additionalProperties"});
  if (type == "array") {
    const Tree* items = openapi.find("items");
    if (items == nullptr) return made;
    made->type = Type::kList;
    made->items = SchemaPart(pruning_schema(*items));
  } else if (values != nullptr && values->is_object()) {
    made->type = Type::kMap;
    made->items = SchemaPart(pruning_schema(*values));
  } else if (type == "object" || properties != nullptr) {
    made->type = Type::kObject;
    const std::size_t count = properties != nullptr ? properties->members().size() : 0;
    made->names = std::make_unique<std::string[]>(count);
    std::size_t index = 0;
    if (properties == nullptr) return made;
    for (const auto& [name, property] : properties->members()) {
      made->names[index] = name;
      made->fields.emplace(made->names[index], SchemaField{SchemaPart(pruning_schema(property)), {}});
      ++index;
    }
  }
  return made;
}

}  // namespace

SchemaPart::SchemaPart(std::unique_ptr<Schema> own) : own_(std::move(own)) {}

const Schema& SchemaPart::schema() const {
  static const Schema kAnything;
  if (own_) return *own_;
  if (found_ == nullptr) found_ = built_in_schema(definition_);
  if (found_ == nullptr) found_ = &kAnything;
  return *found_;
}

const Schema* built_in_schema(const std::string& definition) {
  // The schemas are compiled from constants in the binary, so all servers of the process can share them.
  static base::TextMap<std::string, std::unique_ptr<const Schema>> known;
  auto [place, is_new] = known.try_emplace(definition);
  if (!is_new) return place->second.get();
  const auto* found = find_definition(definition);
  if (found == nullptr) return nullptr;
  auto document = json::Document::parse(found->json);
  KEELSON_ASSERT(document.has_value());
  auto made = std::make_unique<Schema>();
  if (!read_special(definition, *made)) {
    made = compiled(document->root());
    if (made->type == Type::kObject) made->go_type = go_name(definition);
  }
  known[definition] = std::move(made);
  return known[definition].get();
}

std::shared_ptr<const Schema> custom_schema(const Tree& openapi) {
  auto made = pruning_schema(openapi);
  if (made->type != Type::kObject) return std::make_shared<Schema>();
  return made;
}

}  // namespace keelson::sandbox
