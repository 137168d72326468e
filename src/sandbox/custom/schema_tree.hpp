// Reads the JSON of an OpenAPI schema.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "src/sandbox/tree.hpp"

namespace keelson::sandbox {

[[nodiscard]] inline bool is_true_at(const Tree& schema, std::string_view name) {
  const Tree* value = schema.find(name);
  return value != nullptr && *value == Tree(true);
}

// Null unless the member exists and is an object.
[[nodiscard]] inline const Tree* object_at(const Tree& schema, std::string_view name) {
  const Tree* value = schema.find(name);
  return value != nullptr && value->is_object() ? value : nullptr;
}

[[nodiscard]] inline const Tree::Members& members_at(const Tree& schema, std::string_view name) {
  static const Tree kNothing;
  const Tree* value = schema.find(name);
  return (value != nullptr ? *value : kNothing).members();
}

[[nodiscard]] inline const std::vector<Tree>& items_at(const Tree& schema, std::string_view name) {
  static const Tree kNothing;
  const Tree* value = schema.find(name);
  return (value != nullptr ? *value : kNothing).items();
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

}  // namespace keelson::sandbox
