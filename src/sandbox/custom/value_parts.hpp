// The parts of a value that its schema describes, with their paths.
#pragma once

#include <string>

#include "src/sandbox/custom/schema_tree.hpp"
#include "src/sandbox/custom/value_schema.hpp"

namespace keelson::sandbox {

// "spec.size", or "labels[a.b]" for a key of additionalProperties.
[[nodiscard]] inline std::string member_path(const std::string& path, const std::string& name,
                                             const ValueSchema& schema) {
  if (!schema.properties.contains(name)) return key_path(path, name);
  return path.empty() ? name : path + "." + name;
}

// Visits the items or members whose schema has this trait: has_list_types, has_embedded.
template <class Visit>
void for_each_part(const Tree& value, const ValueSchema& schema, const std::string& path, bool ValueSchema::*trait,
                   Visit visit) {
  if (schema.items && (*schema.items).*trait) {
    for (std::size_t i = 0; i < value.items().size(); ++i) visit(value.items()[i], *schema.items, index_path(path, i));
  }
  for (const auto& [name, member] : value.members()) {
    const auto* part = schema.find(name);
    if (part != nullptr && part->*trait) visit(member, *part, member_path(path, name, schema));
  }
}

}  // namespace keelson::sandbox
