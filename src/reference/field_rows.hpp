// The fields below a schema, one row each: what a reader of an API reference looks up.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "keelson/json/value.hpp"

namespace keelson::reference {

struct FieldRow {
  std::string path;           // "spec.schedule", "status.active[].name"
  std::string type;           // Markdown: "list of string", a link for a type that has a page of its own
  std::string limits;         // Markdown: "required; at least 0"
  std::string default_value;  // as JSON, empty: none
  std::string documentation;
};

// A type that is documented elsewhere: a schema with the same properties is not gone into.
struct KnownType {
  std::string name;
  std::string link;
  std::string schema;
};

// `schema` is OpenAPI v3 as kube::schema_of writes it; `path` what it is called. Its own row comes first, then those
// of its members, sorted by name, each before what is inside of it.
[[nodiscard]] std::vector<FieldRow> field_rows(std::string_view path, json::View schema,
                                               const std::vector<KnownType>& known);

}  // namespace keelson::reference
