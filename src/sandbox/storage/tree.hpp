// The form of objects in the API server: JSON that can be changed.
#pragma once

#include <string_view>

#include "keelson/detail/json/tree.hpp"

namespace keelson::sandbox {

using json::Tree;

// The condition of this type in the object's status; null if it has none.
[[nodiscard]] const Tree* condition_of(const Tree& object, std::string_view type);
// Whether the condition of this type is True.
[[nodiscard]] bool has_condition(const Tree& object, std::string_view type);

}  // namespace keelson::sandbox
