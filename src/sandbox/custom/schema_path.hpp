// The paths of fields in rules and selectable fields: ".spec.color" or ".tags['a.b']".
#pragma once

#include <string>
#include <string_view>

#include "src/sandbox/storage/tree.hpp"

namespace keelson::sandbox {

struct SchemaPath {
  std::string error;             // "does not refer to a valid field"; empty if there is none
  std::string root;              // the first field
  std::string text;              // equal for paths to the same field
  const Tree* schema = nullptr;  // of the field; null if additionalProperties is a bool
};

enum class PathKeys { kAllowed, kForbidden };

[[nodiscard]] SchemaPath resolve_schema_path(std::string_view path, const Tree& schema, PathKeys keys);

}  // namespace keelson::sandbox
