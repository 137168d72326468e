#include "src/json/tree_size.hpp"

#include <algorithm>

namespace keelson::json {

std::size_t memory_of(const Tree& tree) {
  std::size_t total = node_memory(tree.scalar().size());
  for (const auto& [name, member] : tree.members()) total += name_memory(name.size()) + memory_of(member);
  for (const Tree& item : tree.items()) total += memory_of(item);
  return total;
}

std::size_t depth_of(const Tree& tree) {
  if (!tree.is_object() && !tree.is_array()) return 0;
  std::size_t deepest = 0;
  for (const auto& [name, member] : tree.members()) deepest = std::max(deepest, depth_of(member));
  for (const Tree& item : tree.items()) deepest = std::max(deepest, depth_of(item));
  return deepest + 1;
}

}  // namespace keelson::json
