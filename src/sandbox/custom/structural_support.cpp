#include "src/sandbox/custom/structural_support.hpp"

#include "src/sandbox/custom/schema_tree.hpp"

namespace keelson::sandbox {

namespace {

bool is_set(const Tree& schema, const char* name) {
  const Tree* value = schema.find(name);
  return value != nullptr && !value->is_null() && *value != Tree("") && (value->is_string() || !value->is_empty());
}

std::string own_keyword(const Tree& schema) {
  for (const char* name : {"id", "$schema", "$ref", "patternProperties", "dependencies"}) {
    const bool is_schema = std::string_view(name) == "$schema";
    if (!is_set(schema, name)) continue;
    return std::string("OpenAPIV3Schema '") + (is_schema ? "schema" : name) + "' is not supported";
  }
  if (has_value_at(schema, "additionalItems")) return "OpenAPIV3Schema 'additionalItems' is not supported";
  if (is_set(schema, "definitions")) return "OpenAPIV3Schema 'definitions' is not supported";
  return "";
}

}  // namespace

std::string unsupported_keyword(const Tree& schema) {
  if (!schema.is_object()) return "";
  auto found = own_keyword(schema);
  if (!found.empty()) return found;
  for_each_alternative(schema, "", [&found](const Tree& part, const std::string& /*at*/) {
    if (found.empty()) found = unsupported_keyword(part);
  });
  if (!found.empty()) return found;
  const Tree* keeps = schema.find("x-kubernetes-preserve-unknown-fields");
  if (keeps != nullptr && *keeps == Tree(false)) {
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
  }
  if (const Tree* items = schema.find("items")) {
    if (items->is_array() && !items->is_empty()) return "OpenAPIV3Schema 'items' must be a schema, but is an array";
    found = unsupported_keyword(*items);
  }
  for (const auto& [name, property] : schema.members_at({"properties"})) {
    if (found.empty()) found = unsupported_keyword(property);
  }
  const Tree* others = object_at(schema, "additionalProperties");
  return found.empty() && others != nullptr ? unsupported_keyword(*others) : found;
}

}  // namespace keelson::sandbox
