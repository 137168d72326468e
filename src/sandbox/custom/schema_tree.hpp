// Reads the JSON of an OpenAPI schema.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "src/sandbox/storage/tree.hpp"

namespace keelson::sandbox {

// Null unless the member exists and is an object.
[[nodiscard]] inline const Tree* object_at(const Tree& schema, std::string_view name) {
  const Tree* value = schema.find(name);
  return value != nullptr && value->is_object() ? value : nullptr;
}

[[nodiscard]] inline bool has_value_at(const Tree& schema, std::string_view name) {
  const Tree* value = schema.find(name);
  return value != nullptr && !value->is_null();
}

[[nodiscard]] inline std::string key_path(const std::string& path, std::string_view key) {
  return path + "[" + std::string(key) + "]";
}
[[nodiscard]] inline std::string index_path(const std::string& path, std::size_t index) {
  return path + "[" + std::to_string(index) + "]";
}

// Visits the schemas of `not`, `allOf`, `oneOf` and `anyOf` with their paths.
template <class Visit>
void for_each_alternative(const Tree& schema, const std::string& path, Visit visit) {
  if (const Tree* negated = object_at(schema, "not")) visit(*negated, path + ".not");
  for (const char* keyword : {"allOf", "oneOf", "anyOf"}) {
    const auto& parts = schema.items_at({keyword});
    for (std::size_t i = 0; i < parts.size(); ++i) visit(parts[i], index_path(path + "." + keyword, i));
  }
}

}  // namespace keelson::sandbox
