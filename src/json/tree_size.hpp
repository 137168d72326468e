// The memory and depth of a Tree, for the limits of patches and YAML, whose copies can double it again and again.
#pragma once

#include <cstddef>

#include "keelson/detail/json/tree.hpp"

namespace keelson::json {

// The limit for what YAML or the copies of a JSON patch may become: about 100,000 values, of which the largest
// kubeconfigs have a tenth. A manager runs in 128 MiB.
inline constexpr std::size_t kTreeMemory = std::size_t{24} << 20;

// The memory of a tree without members and items, and of the name of a member: growing vectors double.
[[nodiscard]] inline std::size_t node_memory(std::size_t scalar_bytes) { return 3 * sizeof(Tree) + scalar_bytes; }
[[nodiscard]] inline std::size_t name_memory(std::size_t bytes) { return 2 * sizeof(std::string) + bytes; }
// The memory of the whole tree without sharing, which is many times its JSON: a number of one digit has a node, too.
[[nodiscard]] std::size_t memory_of(const Tree& tree);
// The levels of nesting; 0 for a scalar.
[[nodiscard]] std::size_t depth_of(const Tree& tree);

}  // namespace keelson::json
