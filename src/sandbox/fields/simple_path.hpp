// Simple JSON paths, which only name members: ".spec.size", as in a CRD, or "spec.size".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "src/sandbox/storage/tree.hpp"

namespace keelson::sandbox {

// The names of the members, outermost first.
[[nodiscard]] std::vector<std::string> path_of(const std::string& json_path);

// Null if it is absent.
[[nodiscard]] const Tree* at_path(const Tree& object, std::string_view json_path);
void put_at(Tree& object, const std::string& json_path, const Tree& value);

}  // namespace keelson::sandbox
