// What the types of the API say about a field beyond its value: whose map it is, and whether it is left out when empty.
#pragma once

#include <string_view>

#include "keelson/json/value.hpp"

namespace keelson::controller {

// x-kubernetes-map-type: atomic. Such a map belongs to one owner as a whole: an entry of somebody else is drift.
[[nodiscard]] bool is_atomic_map(std::string_view parent, std::string_view name, json::View wanted);

// Whether an object without the field says the same as one that has `wanted` there. Lists, objects and texts that are
// empty are left out by Go; false and 0 only where the field is no pointer, because the absence of a pointer means
// whatever the server's default is.
[[nodiscard]] bool may_be_absent(std::string_view parent, std::string_view name, json::View wanted);

// Whether `wanted` is empty and `actual` is what the API server puts in its place.
[[nodiscard]] bool is_default_of_empty(std::string_view parent, std::string_view name, json::View actual,
                                       json::View wanted);

}  // namespace keelson::controller
