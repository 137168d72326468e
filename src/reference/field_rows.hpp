// The fields of a schema, a row each, for an API reference.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "keelson/json/value.hpp"

namespace keelson::reference {

struct FieldRow {
  std::string path;           // "spec.schedule", "status.active[].name"
  std::string type;           // Markdown: "list of string", or a link for a type with a page of its own
  std::string limits;         // Markdown: "required; at least 0"
  std::string default_value;  // as JSON; empty: none
  std::string documentation;
};

// A type that is documented elsewhere: a schema with the same properties is a link without rows of its own.
struct KnownType {
  std::string name;
  std::string link;
  std::string schema;
};

// `schema` is OpenAPI v3 as kube::schema_of writes it; `path` is its name. The row of the schema comes first, then
// those of its members, sorted by name, each before its own members.
[[nodiscard]] std::vector<FieldRow> field_rows(std::string_view path, json::View schema,
                                               const std::vector<KnownType>& known);

}  // namespace keelson::reference
