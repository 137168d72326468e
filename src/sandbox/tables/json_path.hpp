// The JSONPath of printer columns: ".spec.size", ".status.conditions[?(@.type==\"Ready\")].status", "[0]", "['a.b']".
#pragma once

#include <string_view>
#include <vector>

#include "src/sandbox/storage/tree.hpp"

namespace keelson::sandbox {

// The values that a path selects in an object, in order; empty if it selects none or is invalid.
[[nodiscard]] std::vector<const Tree*> find_path(const Tree& object, std::string_view path);

}  // namespace keelson::sandbox
