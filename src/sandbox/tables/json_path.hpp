// The JSONPath of printer columns: ".spec.size", ".status.conditions[?(@.type==\"Ready\")].status", "[0]", "['a.b']".
#pragma once

#include <string_view>
#include <vector>

#include "src/sandbox/tree.hpp"

namespace keelson::sandbox {

// What a path finds in an object, in order; nothing where it leads nowhere or cannot be read.
[[nodiscard]] std::vector<const Tree*> find_path(const Tree& object, std::string_view path);

}  // namespace keelson::sandbox
